/** What the user gave cannot be used: the command says the sentence and exits with status 2. */
export class UsageError extends Error {}
