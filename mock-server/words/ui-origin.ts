/** Where the user interface of a self-hosted deployment listens: the one origin that it answers. */
export const uiOrigin = 'http://localhost:8080'
