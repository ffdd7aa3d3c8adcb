/** Writes labels in the text format of Prometheus. */
export const writeLabels = (labels: Readonly<Record<string, string>>) =>
  `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`)
    .join(',')}}`
