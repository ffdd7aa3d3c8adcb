/** The page may use its own script and style, and nothing else. */
export const hashes = {
  style: 'sha256-dzNAmsNPR4weLrUF/dlmDVY4006cYBW+m6w1eNnAEjo=',
  script: 'sha256-4aeReXgU1tQ0mPpL5dQcv7ufPEnRKMNHblfFNvrcmmo=',
} as const

export const policy = `default-src 'none'; style-src '${hashes.style}'; script-src '${hashes.script}'; base-uri 'none'; form-action 'none'`
