/** Preloaded into the process of a mock: on SIGWINCH, prints the memory and handles of the process on standard error. */
process.on('SIGWINCH', () => {
  for (let i = 0; i < 3; i++) globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  const handles = process.getActiveResourcesInfo().filter(name => name !== 'Immediate').length
  process.stderr.write(`memory ${JSON.stringify({ heapUsed, external, rss, handles })}\n`)
})
