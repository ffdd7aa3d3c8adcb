/** Translates calls of the HTTP interface to statements for the library, which takes nothing but texts. */

/** Query parameters that are not settings. */
const nonSettings = new Set(
  'query query_id session_id session_timeout session_check close_session database default_format wait_end_of_query buffer_size client_protocol_version compress decompress user password quota_key role stacktrace'.split(
    ' ',
  ),
)

export const quote = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`
const quoteName = (name: string): string => `\`${name.replace(/[\\`]/g, '\\$&')}\``

/** The statements that apply the settings, parameters and database of a call to a session. */
export function preparingStatements(query: URLSearchParams, isRead: boolean): readonly string[] {
  const database = query.get('database')
  const assignments = [...query].filter(([name]) => isSetting(name) || isParameter(name))
  // Nothing can be set after readonly; a session that only reads has it already.
  const settings = assignments
    .filter(([name]) => name !== 'readonly' || !isRead)
    .sort(([a], [b]) => Number(a === 'readonly') - Number(b === 'readonly'))
  return [
    ...(database ? [`USE ${quoteName(database)}`] : []),
    ...(settings.length > 0 ? [`SET ${settings.map(([name, value]) => `${name} = ${quote(value)}`).join(', ')}`] : []),
  ]
}

/** The statements that revert these settings and the database; parameters stay until they are set again. */
export function revertingStatements(query: URLSearchParams): readonly string[] {
  const settings = [...query.keys()].filter(name => isSetting(name) && name !== 'readonly')
  return [
    ...(query.get('database') ? ['USE default'] : []),
    ...(settings.length > 0 ? [`SET ${settings.map(name => `${name} = DEFAULT`).join(', ')}`] : []),
  ]
}

const isParameter = (name: string) => /^param_\w+$/.test(name)
const isSetting = (name: string) => /^\w+$/.test(name) && !isParameter(name) && !nonSettings.has(name)

/** Formats without a header: the library repeats the header of any other format in each chunk of a stream. */
const streamableFormats = new Set(
  'csv jsoncompacteachrow jsoneachrow jsonlines linesasstring native ndjson rawblob rowbinary tabseparated tabseparatedraw tskv tsv tsvraw'.split(
    ' ',
  ),
)

/** Whether a result can be streamed: only if its format is certain, and has no header. */
export function isStreamable(sql: string, defaultFormat: string): boolean {
  // A second FORMAT may be part of a text or a name.
  const formatCount = sql.match(/\bformat\b/gi)?.length ?? 0
  const format = formatCount === 0 ? defaultFormat : /\bformat\s+(\w+)[\s;]*$/i.exec(sql)?.[1]
  return formatCount < 2 && format !== undefined && streamableFormats.has(format.toLowerCase())
}

/** The probable format of an answer, for its media type. */
export const formatOf = (sql: string, defaultFormat: string): string =>
  /\bformat\s+(\w+)[\s;]*$/i.exec(sql)?.[1] ?? defaultFormat

/** An INSERT that reads the data of the given one from a file. Undefined for a statement that is not sent with data. */
export function insertFrom(sql: string, file: string, compression: string): string | undefined {
  const match = /^(\s*INSERT\s+INTO\s[\s\S]*?)(\sSETTINGS\s[\s\S]*?)?\s(?:FORMAT\s+(\w+)|VALUES)[\s;]*$/i.exec(sql)
  if (!match) return undefined
  const [, head, settings = '', format = 'Values'] = match
  return `${head} FROM INFILE ${quote(file)} COMPRESSION ${quote(compression)}${settings} FORMAT ${format}`
}

/** Where the data begin in a body that starts with the INSERT itself: after the line break that follows its format. */
export function dataOffset(head: string): number | undefined {
  const match = /^\s*INSERT\s+INTO\s[\s\S]*?\bFORMAT\s+\w+[ \t;]*\r?\n/i.exec(head)
  return match?.[0].length
}
