import type { Bench, Chapter } from './chapter.ts'
export async function measurePeers(_: Bench): Promise<Chapter> {
  return { title: 'Peers', says: '', rows: [] }
}
