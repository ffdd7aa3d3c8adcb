import type { Fault, Faults } from '../../../faults/fault.ts'
import { inAnswers, successOf, withBody } from '../../../faults/rewrite.ts'

const inText = (how: (text: string) => string): (() => Fault) =>
  inAnswers(successOf('servicePrometheus.get'), answer => withBody(answer, how(answer.body)))

export const faults = {
  'prometheus/is-plain-text': inAnswers(successOf('servicePrometheus.get'), answer => ({
    ...answer,
    headers: { ...answer.headers, 'content-type': 'text/html' },
  })),
  'prometheus/parses': inText(text => text.replace('} ', '}')),
  'prometheus/families-are-described': inText(text => text.replace(/^# HELP .*\n/gm, '')),
  'prometheus/counters-never-fall': inText(text =>
    text.replace(
      /^(# TYPE (\S+) counter\n)((?:\2.*\n)+)/gm,
      (_, type, _name, samples) => `${type}${samples.replace(/ \S+$/gm, ' -1')}`,
    ),
  ),
  'prometheusTarget/leads-to-metrics': inAnswers(successOf('prometheusTarget.list'), answer =>
    withBody(answer, answer.body.replaceAll('/prometheus"', '"')),
  ),
  'prometheus/filtered-is-a-part': () => async (call, next, context) => {
    const answer = await next(call)
    const isFiltered = context.operation === 'servicePrometheus.get' && call.query.includes('filtered_metrics=true')
    return isFiltered ? withBody(answer, `${answer.body}# HELP Added Added.\n# TYPE Added gauge\nAdded 1\n`) : answer
  },
} as const satisfies Faults
