import { sha256 } from '@noble/hashes/sha2'

/** SHA-256 in base64: the form in which the cloud API accepts hashes of keys and passwords. */
export const hash = (text: string): string => btoa(String.fromCharCode(...sha256(new TextEncoder().encode(text))))
