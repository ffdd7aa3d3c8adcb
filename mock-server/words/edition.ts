/** An edition of the self-hosted API: that of the specification (2.24), or the newer one (2.36). */
export type Edition = '2.24' | '2.36'
