/** Loaded into the process of a mock before it starts: on SIGUSR2 it says, on standard error, how much it holds. */
process.on('SIGUSR2', () => {
  for (let i = 0; i < 3; i++) globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  const handles = process.getActiveResourcesInfo().filter(name => name !== 'Immediate').length
  process.stderr.write(`memory ${JSON.stringify({ heapUsed, external, rss, handles })}\n`)
})
