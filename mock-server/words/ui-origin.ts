/** The origin of the user interface of a self-hosted deployment, and the only origin that the deployment allows. */
export const uiOrigin = 'http://localhost:8080'
