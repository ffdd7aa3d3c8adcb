/** Ways in which a deployment may differ from what a client expects when it creates, updates and deletes, as values. */
export interface Quirk {
  readonly id: string
  /** Changes a name before it is stored. */
  readonly changesName?: (name: string) => string
  /** The name of the id field; null if answers have none. */
  readonly callsId?: string | null
  /** A side effect of updates. */
  readonly updatesToo?: 'all others' | 'copy' | 'what was deleted'
  /** Deletions are answered with success, but delete nothing. */
  readonly deletesNothing?: true
  /** Creations are answered with the id alone, or with nothing that identifies the created object. */
  readonly answersCreation?: 'id' | 'nothing'
  /** Updates are answered with the copy that they made. */
  readonly answersUpdate?: 'copy'
}

let untitled = 0

/** None of these breaks a rule. */
export const compliantQuirks: readonly Quirk[] = [
  ...['guid', '_id', 'uuid', 'dashboardId', 'alertId', 'Id', 'resource_uid', 'handle'].map(callsId => ({
    id: `calls the id ${callsId}`,
    callsId,
  })),
  { id: 'keeps names in lower case', changesName: name => name.toLowerCase() },
  { id: 'keeps names in capitals', changesName: name => name.toUpperCase() },
  { id: 'answers creations with the id alone', answersCreation: 'id' },
  { id: 'answers creations with nothing', answersCreation: 'nothing' },
]

/** With these, a get shows another name than was sent. They break the rules about that, and no others. */
export const renamingQuirks: readonly Quirk[] = [
  { id: 'adds a suffix to names', changesName: name => `${name} (1)` },
  { id: 'adds a prefix to names', changesName: name => `[team] ${name}` },
  { id: 'keeps slugs for names', changesName: name => name.toLowerCase().replace(/[^a-z0-9]+/g, '-') },
  { id: 'takes the spaces out of names', changesName: name => name.replaceAll(' ', '') },
  { id: 'cuts names after 40 characters', changesName: name => name.slice(0, 40) },
  { id: 'cuts names after 16 characters', changesName: name => name.slice(0, 16) },
  { id: 'adds a suffix to names and calls the id guid', callsId: 'guid', changesName: name => `${name} (1)` },
  { id: 'keeps no names', changesName: () => `Untitled ${++untitled}` },
]

/** These break a rule or have side effects, but a run leaves nothing behind. */
export const rulebreakingQuirks: readonly Quirk[] = [
  {
    id: 'adds a suffix to names that the answers to creations do not show',
    answersCreation: 'id',
    changesName: name => `${name} (1)`,
  },
  { id: 'gives the name of an update to every other object', updatesToo: 'all others' },
  { id: 'recreates a deleted object by an update', updatesToo: 'what was deleted' },
  { id: 'answers updates with a copy that they make', updatesToo: 'copy', answersUpdate: 'copy' },
]

/** With these, a run leaves objects behind: the answers do not show how to delete them, or who created them. */
export const leftoverQuirks: readonly Quirk[] = [
  { id: 'answers deletions with success and deletes nothing', deletesNothing: true },
  { id: 'shows no ids', callsId: null },
  { id: 'makes copies by updates and does not show it', updatesToo: 'copy' },
  {
    id: 'keeps no names and answers creations with nothing',
    changesName: () => `Untitled ${++untitled}`,
    answersCreation: 'nothing',
  },
]
