/** The origin of the user interface of a self-hosted deployment, the only one that it allows. */
export const uiOrigin = 'http://localhost:8080'
