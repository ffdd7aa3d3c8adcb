import type { Address } from './addresses.ts'

const range = { minutes: 'how far back', until: 'the end of the range; without it, now' }

interface Ids {
  readonly organizationId: string
  readonly dashboardId: string
}

/** What the page reads, and nobody else has to. */
export function addressesOfPage({ organizationId, dashboardId }: Ids): Readonly<Record<string, Address>> {
  return {
    'GET about': { description: 'What the mock is made of: seed, size, choices and rules.' },
    'GET drawings/{stack}/{dashboard}': {
      description: 'A dashboard with what its tiles show.',
      path: { stack: 'self-hosted', dashboard: dashboardId },
      query: { ...range },
    },
    'GET found/{stack}/{kind}': {
      description: 'The rows of a source that a search finds, the newest first.',
      path: { stack: 'self-hosted', kind: 'log' },
      query: {
        ...range,
        where: 'a search',
        language: 'lucene or sql',
        limit: 'at most 1,000',
        offset: 'so many are left out',
      },
    },
    'GET traces/{stack}/{trace}': {
      description: 'The spans and log lines of a trace.',
      path: { stack: 'self-hosted', trace: '4bf92f3577b34da6a3ce929d0e0e4736' },
      query: { near: 'a time of the trace; without it, the last day is searched' },
    },
    'GET alerts/{stack}': {
      description: 'The alerts of a stack with their history.',
      path: { stack: 'self-hosted' },
    },
    'GET services/{organization}': {
      description: 'The services of an organization with their states of the last day.',
      path: { organization: organizationId },
    },
    'GET requests/{operation}': {
      description: 'A request for an operation that works in this world, to be sent or changed.',
      path: { operation: 'alert.create' },
    },
    'POST verify': { description: 'Runs the suite against the mock; 501 without the suite.', isOfMock: true },
    'GET verify': { description: 'How far the run is.', isOfMock: true },
    'GET verify/report.json': { description: 'The report of the last run; 404 before one has ended.', isOfMock: true },
    'GET verify/report.html': {
      description: 'The report of the last run as a page; 404 before one has ended.',
      answers: { type: 'text/html' },
      isOfMock: true,
    },
  }
}
