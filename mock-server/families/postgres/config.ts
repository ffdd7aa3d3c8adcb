import { answerObject, type BodyOf, type Handlers, type Request } from '../family.ts'
import { find } from './find.ts'
import { type Postgres, postgresServices } from './model.ts'
import { needsRestart, readPostgresSettings, textsOf } from './settings.ts'

const answer = ({ pgConfig, pgBouncerConfig }: Postgres, message?: string) =>
  answerObject({ pgConfig, pgBouncerConfig, ...(message && { message }) })

/** Keeps settings in place of the others, or beside them. */
function set(request: Request<BodyOf<'postgresConfig.replace'>>, keep: boolean) {
  const service = find(request)
  const pgConfig = readPostgresSettings(request.body.pgConfig)
  const pgBouncerConfig = textsOf(request.body.pgBouncerConfig)
  const changed = {
    ...service,
    pgConfig: { ...(keep && service.pgConfig), ...pgConfig },
    pgBouncerConfig: { ...(keep && service.pgBouncerConfig), ...pgBouncerConfig },
  }
  request.in(postgresServices).replace(changed)
  const waiting = Object.keys(pgConfig).filter(name => needsRestart(name) && pgConfig[name] !== service.pgConfig[name])
  return answer(
    changed,
    waiting.length > 0 ? `Restart the service for ${waiting.join(', ')} to take effect` : undefined,
  )
}

export const handlers = {
  'postgresConfig.get': request => answer(find(request)),
  'postgresConfig.replace': request => set(request, false),
  'postgresConfig.update': request => set(request, true),
} as const satisfies Handlers
