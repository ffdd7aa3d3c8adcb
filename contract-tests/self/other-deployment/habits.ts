/** Ways in which a deployment may differ from what a client expects when it creates, updates and deletes, as values. */
export interface Habit {
  readonly id: string
  /** What becomes of a name before it is kept. */
  readonly keepsName?: (name: string) => string
  /** What the id is called; without a name it is shown nowhere. */
  readonly callsId?: string | null
  /** What an update does besides what was asked. */
  readonly updatesToo?: 'every other' | 'copy' | 'what was deleted'
  /** Deletions are answered as ever, and nothing is deleted. */
  readonly deletesNothing?: true
  /** Creations are answered with the id alone, or with nothing that tells which thing was made. */
  readonly answersCreation?: 'id' | 'nothing'
  /** Updates are answered with what they made besides. */
  readonly answersUpdate?: 'copy'
}

let untitled = 0

/** None of these breaks a rule. */
export const compliantHabits: readonly Habit[] = [
  ...['guid', '_id', 'uuid', 'dashboardId', 'alertId', 'Id', 'resource_uid', 'handle'].map(callsId => ({
    id: `calls the id ${callsId}`,
    callsId,
  })),
  { id: 'keeps names in lower case', keepsName: name => name.toLowerCase() },
  { id: 'keeps names in capitals', keepsName: name => name.toUpperCase() },
  { id: 'answers creations with the id alone', answersCreation: 'id' },
  { id: 'answers creations with nothing', answersCreation: 'nothing' },
]

/** What a get shows then is no longer what was sent: they break the rules that say so, and no other. */
export const renamingHabits: readonly Habit[] = [
  { id: 'adds a suffix to names', keepsName: name => `${name} (1)` },
  { id: 'adds a prefix to names', keepsName: name => `[team] ${name}` },
  { id: 'keeps slugs for names', keepsName: name => name.toLowerCase().replace(/[^a-z0-9]+/g, '-') },
  { id: 'takes the spaces out of names', keepsName: name => name.replaceAll(' ', '') },
  { id: 'cuts names behind 40 characters', keepsName: name => name.slice(0, 40) },
  { id: 'cuts names behind 16 characters', keepsName: name => name.slice(0, 16) },
  { id: 'adds a suffix to names and calls the id guid', callsId: 'guid', keepsName: name => `${name} (1)` },
  { id: 'keeps no names', keepsName: () => `Untitled ${++untitled}` },
]

/** These leave nothing behind either, although they break a rule or do more than they were asked. */
export const troublesomeHabits: readonly Habit[] = [
  {
    id: 'adds a suffix to names that the answers to creations do not show',
    answersCreation: 'id',
    keepsName: name => `${name} (1)`,
  },
  { id: 'gives the name of an update to every other thing', updatesToo: 'every other' },
  { id: 'makes what was deleted anew by an update', updatesToo: 'what was deleted' },
  { id: 'answers updates with a copy that they make', updatesToo: 'copy', answersUpdate: 'copy' },
]

/** What these make cannot be deleted by anybody who only sees their answers, or not be told from what others make. */
export const leavingHabits: readonly Habit[] = [
  { id: 'answers deletions with success and deletes nothing', deletesNothing: true },
  { id: 'shows no ids', callsId: null },
  { id: 'makes copies by updates and does not tell', updatesToo: 'copy' },
  {
    id: 'keeps no names and answers creations with nothing',
    keepsName: () => `Untitled ${++untitled}`,
    answersCreation: 'nothing',
  },
]
