import type { BodyRules } from '../../fields/judge.ts'
import { typeOfEnumeration } from '../../fields/sentences.ts'
import { day } from '../../words/durations.ts'
import type { Channel } from '../../words/resources.ts'
import type { BodyOf } from '../family.ts'
import { intervalMinutes } from './alert-schedule.ts'

const year = 365 * day
const union = 'Invalid input'

/** The sentences of deployments for alerts, and their rules over several fields. */
export const alertRules: BodyRules = {
  sentences: {
    union,
    'channel.webhookId min': { '2.36': "Webhook ID can't be empty" },
    'channels.webhookId min': "Webhook ID can't be empty",
    'channels min': 'At least one notification channel is required',
    'channels max': 'An alert supports at most 10 notification channels',
    'scheduleStartAt type': union,
    'thresholdType type': typeOfEnumeration,
    'source type': typeOfEnumeration,
  },
  checks: {
    // NaN, for a text that is no time, fails both comparisons.
    scheduleStartAt: (start: string, reportIssue, { now }) => {
      const time = Date.parse(start)
      if (!(time <= now + year)) reportIssue('scheduleStartAt must be within 1 year from now')
      if (!(time >= now - 10 * year)) reportIssue('scheduleStartAt must be within 10 years in the past')
    },
    '': (alert: BodyOf<'alert.create'>, reportIssue) => {
      checkChannels(alert, sentence => reportIssue(sentence, 'channels'))
      checkOffset(alert, sentence => reportIssue(sentence, 'scheduleOffsetMinutes'))
      checkThresholdMax(alert, sentence => reportIssue(sentence, 'thresholdMax'))
    },
  },
}

type ReportIssue = (sentence: string) => void

function checkChannels({ channel, channels }: Partial<BodyOf<'alert.create'>>, reportIssue: ReportIssue) {
  if (!channel && !channels) reportIssue('Provide either "channel" or "channels"')
  if (channel && channels && targetOf(channel) !== (channels[0] && targetOf(channels[0]))) {
    reportIssue('When both "channel" and "channels" are provided, "channel" must match the first entry of "channels"')
  }
  if (new Set(channels?.map(targetOf)).size < (channels?.length ?? 0)) {
    reportIssue('Duplicate notification channels are not allowed')
  }
}

const targetOf = ({ webhookId, emailRecipients = [] }: Channel) => webhookId ?? emailRecipients.toSorted().join()

function checkOffset(alert: BodyOf<'alert.create'>, reportIssue: ReportIssue) {
  const offset = alert.scheduleOffsetMinutes ?? 0
  const minutes = intervalMinutes[alert.interval]
  if (alert.scheduleStartAt != null && offset > 0) {
    reportIssue('scheduleOffsetMinutes must be 0 when scheduleStartAt is provided')
  }
  if (offset >= minutes) {
    reportIssue(`scheduleOffsetMinutes must be less than ${minutes} minute${minutes === 1 ? '' : 's'}`)
  }
}

function checkThresholdMax(
  { thresholdType, threshold, thresholdMax }: BodyOf<'alert.create'>,
  reportIssue: ReportIssue,
) {
  if (thresholdType !== 'between' && thresholdType !== 'not_between') return
  if (thresholdMax == null) reportIssue('thresholdMax is required for between/not_between threshold types')
  else if (thresholdMax < threshold) reportIssue('thresholdMax must be greater than or equal to threshold')
}
