import type { Report } from './report.ts'

/** How much of a recording was judged, in a sentence, and why the rest was not; nothing of a run that sent requests itself. */
export function summariseRecording({
  recording,
}: Report): { sentence: string; because: readonly string[] } | undefined {
  if (!recording) return undefined
  const { entries, judged, left } = recording
  const rest = entries - judged
  const were = (number: number) => `${number} ${number === 1 ? 'was' : 'were'}`
  const all = `${entries} recorded exchange${entries === 1 ? '' : 's'}`
  return {
    sentence: rest === 0 ? `Judged: all of ${all}.` : `Of ${all}, ${were(judged)} judged and ${were(rest)} not:`,
    because: left.map(({ count, why }) => `${count} × ${why}`),
  }
}
