/** Hashes of the page's script and style: its content security policy allows nothing else. */
export const hashes = {
  style: 'sha256-dzNAmsNPR4weLrUF/dlmDVY4006cYBW+m6w1eNnAEjo=',
  script: 'sha256-MNtmTExEqgoqm0hNCBiuR/IhBc3C544pYjcKTps7Kac=',
} as const

export const policy = `default-src 'none'; style-src '${hashes.style}'; script-src '${hashes.script}'; base-uri 'none'; form-action 'none'`
