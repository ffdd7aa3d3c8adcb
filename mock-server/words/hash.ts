import { sha256 } from '@noble/hashes/sha2'

/** SHA-256 in base64: the form in which keys and passwords are taken as hashes. */
export const hash = (text: string): string => btoa(String.fromCharCode(...sha256(new TextEncoder().encode(text))))
