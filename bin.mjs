#!/usr/bin/env node
// Starts the program where Node is new enough for it. An old Node has to read this file whole, so it imports nothing before
// it has looked at the version, and its syntax is that of Node 10. The build copies it to dist/cli.js.
const oldest = [20, 19]
const [major, minor] = process.versions.node.split('.').map(Number)
if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) {
  // From the second start on nothing is compiled: 0.8 of the processor time of a start (Node 24.21). Node 20 has no such cache.
  import('node:module')
    .then(({ enableCompileCache }) => {
      if (enableCompileCache) enableCompileCache()
      return import('./main.js')
    })
    .then(({ start }) => start())
} else {
  process.stderr.write(
    `stack-parity needs Node ${oldest.join('.')} or newer, and this is Node ${process.versions.node} (${process.execPath}): install a newer one, or put one ahead of it in PATH.\n`,
  )
  process.exitCode = 2
}
