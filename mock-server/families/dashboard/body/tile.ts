import { z } from 'zod/v3'
import type { Terms } from '../../observability/terms.ts'
import { type ConfigBody, tileConfig } from './tile-config.ts'
import { type SeriesBody, tileSeries } from './tile-series.ts'

export interface TileBody {
  readonly id?: string
  readonly name: string
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
  readonly asRatio?: boolean
  readonly series?: readonly SeriesBody[]
  readonly config?: ConfigBody
  readonly containerId?: string
  readonly tabId?: string
}

const placeId = z.string().min(1).max(256).optional()

function tile(terms: Terms) {
  const shown = z
    .object({
      name: z.string(),
      x: z.number().min(0).max(23),
      y: z.number().min(0),
      w: z.number().min(1).max(24),
      h: z.number().min(1),
      asRatio: z.boolean().optional(),
      series: tileSeries(terms).optional(),
      config: tileConfig(terms).optional(),
      ...(terms.newer && { containerId: placeId, tabId: placeId }),
    })
    .superRefine(({ series, config, asRatio }, context) => {
      const complain = (message: string) => context.addIssue({ code: 'custom', message })
      if (series && config) complain('Tile cannot have both series and config')
      if (!series && !config) complain('Tile must have either series or config')
      if (config && asRatio !== undefined) {
        complain('asRatio property is not supported when using config property. Specify config.asRatio instead.')
      }
    })
  // The id is read apart from the rest, so a tile that is no object is found wrong twice, as by the deployments.
  return shown.and(z.object({ id: z.string().max(36).optional() }))
}

export function tileList(terms: Terms) {
  const tiles = z.array(tile(terms))
  return (terms.newer ? tiles.max(500) : tiles).superRefine((list, context) => {
    const seen = new Set<string>()
    for (const [at, { id }] of list.entries()) {
      if (id && seen.has(id)) {
        const message = `Duplicate tile ID: ${id}. Omit the ID to generate a unique one.`
        context.addIssue({ code: 'custom', message, path: [at, 'id'] })
      }
      if (id) seen.add(id)
    }
  })
}
