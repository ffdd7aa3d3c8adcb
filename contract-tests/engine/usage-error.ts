/** Wrong use: the command prints the message and exits with status 2. */
export class UsageError extends Error {}
