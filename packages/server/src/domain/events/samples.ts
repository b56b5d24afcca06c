import type { Seconds } from '../../db/tables.ts'
import { EVENT_VERSION, type EventType } from './catalogue.ts'
import type { EventCause, EventScope } from './write.ts'

/** The reader whom all samples are about. No real user has this uid. */
const SAMPLE_UID = 'SampleReader00000000'

const [DAY, MONTH] = [86_400, 30 * 86_400]

interface Sample {
  /** Whether it is about no reader, and has no sequence. */
  isAboutNoReader?: true
  data: object
  changed?: object
  cause: EventCause
}

type SampleOf = (aid: string, at: Seconds) => Sample

const reader = { uid: SAMPLE_UID, user_ref: 'ann', user_email: 'ann@example.com' }
const ids = { access: 'SampleAccess0000', payment: 'SamplePayment000' }
const subscriptionId = 'SampleSubscript0'

const access = (aid: string, created: Seconds, more: object = {}) => ({
  ...{ id: ids.access, aid, rid: 'news', uid: SAMPLE_UID, amount: 4.99, currency: 'EUR', created },
  ...{
    user_ref: reader.user_ref,
    user_email: reader.user_email,
    contact_email: '',
    tags: ['spring'],
  },
  ...{ status: 'live', ...more },
})

const subscription = (aid: string, start: Seconds, more: object = {}) => ({
  ...{ id: subscriptionId, aid, rid: 'news', ...reader, status: 'active' },
  ...{ amount: 4.99, currency: 'EUR', period: '1 month', created: start },
  ...{ current_period_start: start, current_period_end: start + MONTH },
  ...{ cancel_at_period_end: false, access_id: ids.access, ...more },
})

const payment = (aid: string, created: Seconds, more: object = {}) => ({
  ...{ id: ids.payment, aid, rid: 'news', uid: SAMPLE_UID, amount: 4.99, refunded: 0, lost: 0 },
  ...{ currency: 'EUR', status: 'succeeded', created, access_id: ids.access, refunds: [], ...more },
})

const refund = (aid: string, more: object) => ({
  ...{ id: 'SampleRefund0000', aid, payment_id: ids.payment, rid: 'news', uid: SAMPLE_UID },
  ...{ amount: 4.99, currency: 'EUR', ...more },
})

const user = {
  ...{
    uid: SAMPLE_UID,
    email: 'ann@example.com',
    first_name: 'Ann',
    last_name: 'Reader',
    contact_email: '',
  },
  ...{ references: ['ann'], aliases: [] as string[] },
}

const by = (actor: string, action: string, why?: string): { cause: EventCause } => ({
  cause: { actor, action, ...(why === undefined ? {} : { why }) },
})

/** One event of each type, as it would be written at a time. */
const SAMPLES: Readonly<Record<EventType, SampleOf>> = {
  'user.access_changed': (_, at) => ({
    data: {
      ...{ uid: SAMPLE_UID, user_email: reader.user_email, references: ['ann'], aliases: [] },
      entitlements: [
        {
          ...{ rid: 'news', granted: true, code: 'subscribed', until: at + MONTH },
          ...{ next_change: at + MONTH, access_id: ids.access },
          sources: [{ kind: 'subscription', id: subscriptionId, from: at, until: at + MONTH }],
        },
      ],
      more: false,
    },
    ...by('checkout', 'subscribed'),
  }),
  'access.granted': (aid, at) => ({ data: access(aid, at), ...by('api', 'granted') }),
  'access.changed': (aid, at) => ({
    data: access(aid, at - DAY, { expires: at + MONTH }),
    changed: { expires: at + DAY },
    ...by('api', 'granted'),
  }),
  'access.revoked': (aid, at) => ({
    data: access(aid, at - DAY, { status: 'revoked', revoked: at }),
    changed: { status: 'live' },
    ...by('api', 'revoked'),
  }),
  'access.ended': (aid, at) => ({
    data: access(aid, at - MONTH, { status: 'expired', expires: at }),
    changed: { status: 'live' },
    ...by('clock', 'time over'),
  }),
  'subscription.started': (aid, at) => ({
    data: subscription(aid, at),
    ...by('checkout', 'subscribed'),
  }),
  'subscription.trial_ending': (aid, at) => ({
    data: subscription(aid, at - 11 * DAY, {
      ...{ status: 'trialing', current_period_end: at + 3 * DAY },
    }),
    ...by('worker', 'trial notice'),
  }),
  'subscription.renewed': (aid, at) => ({
    data: subscription(aid, at, { created: at - MONTH }),
    changed: { current_period_start: at - MONTH, current_period_end: at },
    ...by('worker', 'renewed'),
  }),
  'subscription.past_due': (aid, at) => ({
    data: subscription(aid, at - MONTH, { status: 'past_due' }),
    changed: { status: 'active' },
    ...by('worker', 'renewal failed'),
  }),
  'subscription.recovered': (aid, at) => ({
    data: subscription(aid, at - DAY, { created: at - MONTH - DAY }),
    changed: { status: 'past_due' },
    ...by('worker', 'renewed'),
  }),
  'subscription.canceled': (aid, at) => ({
    data: subscription(aid, at - DAY, {
      ...{ status: 'canceled', cancel_at_period_end: true, canceled: at },
    }),
    changed: { status: 'active', cancel_at_period_end: false },
    ...by('api', 'subscription canceled'),
  }),
  'subscription.resumed': (aid, at) => ({
    data: subscription(aid, at - DAY),
    changed: { status: 'canceled', cancel_at_period_end: true },
    ...by('api', 'subscription resumed'),
  }),
  'subscription.ended': (aid, at) => ({
    data: subscription(aid, at - MONTH, {
      ...{ status: 'ended', cancel_at_period_end: true, canceled: at - DAY },
    }),
    changed: { status: 'canceled' },
    ...by('worker', 'subscription ended', 'canceled'),
  }),
  'payment.succeeded': (aid, at) => ({ data: payment(aid, at), ...by('checkout', 'purchased') }),
  'payment.failed': (aid, at) => ({
    data: payment(aid, at, { status: 'failed', subscription_id: subscriptionId }),
    ...by('worker', 'renewal failed'),
  }),
  'refund.succeeded': (aid) => ({
    data: refund(aid, { status: 'succeeded' }),
    changed: { status: 'pending' },
    ...by('api', 'refund succeeded'),
  }),
  'refund.failed': (aid) => ({
    data: refund(aid, { status: 'failed', reason: 'disputed' }),
    changed: { status: 'pending' },
    ...by('worker', 'refund failed'),
  }),
  'dispute.opened': (aid, at) => ({
    data: payment(aid, at - DAY, { status: 'disputed' }),
    changed: { status: 'succeeded' },
    ...by('worker', 'dispute opened'),
  }),
  'dispute.won': (aid, at) => ({
    data: payment(aid, at - MONTH),
    changed: { status: 'disputed' },
    ...by('worker', 'dispute won'),
  }),
  'dispute.lost': (aid, at) => ({
    data: payment(aid, at - MONTH, { status: 'lost', lost: 4.99 }),
    changed: { status: 'disputed' },
    ...by('worker', 'dispute lost'),
  }),
  'download.delivered': (aid, at) => ({
    data: {
      ...{ id: 'SampleDelivery00', aid, rid: 'news', uid: SAMPLE_UID },
      ...{ download_id: 'SampleDownload00', link: 'SampleLink000000' },
      ...{ bytes: 1_048_576, outcome: 'complete', at },
    },
    ...by('reader', 'file delivered'),
  }),
  'user.updated': () => ({
    data: user,
    changed: { email: 'ann@example.org' },
    ...by('staff:SampleStaff00000', 'e-mail changed'),
  }),
  'user.merged': () => ({
    data: { ...user, aliases: ['SampleReader00000001'], merged_uid: 'SampleReader00000001' },
    ...by('staff:SampleStaff00000', 'user merged in'),
  }),
  'user.erased': () => ({
    data: { uid: SAMPLE_UID, references: ['ann'] },
    ...by('staff:SampleStaff00000', 'user erased'),
  }),
  'catalogue.changed': (aid, at) => ({
    isAboutNoReader: true,
    data: {
      ...{ aid, rid: 'news', name: 'The spring issue', url: 'https://example.com/spring' },
      ...{ description: '', image: '', created: at - MONTH, archived: false },
      offers: [
        {
          ...{ price: 'SamplePrice00000', rid: 'news', amount: 4.99, currency: 'EUR' },
          ...{ recurring: true, trial_days: 0, period: '1 month' },
        },
      ],
    },
    changed: { name: 'The winter issue' },
    ...by('staff:SampleStaff00000', 'resource changed'),
  }),
  'service.restored': (aid, at) => ({
    isAboutNoReader: true,
    data: { aid, sequence: at * 1000 },
    ...by('worker', 'all told again'),
  }),
}

/** A sample without what makes it one event: its id and its sequence. */
export function sampleDraft(type: EventType, { aid }: Pick<EventScope, 'aid'>, at: Seconds) {
  const { isAboutNoReader, ...sample } = SAMPLES[type](aid, at)
  return { type, at, ...sample, uid: isAboutNoReader ? undefined : SAMPLE_UID }
}

/** A complete sample event, to be shown or sent without being stored. */
export function sampleEvent(type: EventType, scope: EventScope, id: string, at: Seconds): object {
  const { uid, data, changed = {}, cause } = sampleDraft(type, scope, at)
  return {
    ...{ id, type, timestamp: new Date(at * 1000).toISOString(), version: EVENT_VERSION },
    ...{ aid: scope.aid, environment: scope.environment },
    ...(uid === undefined ? {} : { sequence: at * 1000 }),
    ...{ data, changed, cause },
  }
}

/** The samples that the documentation and the dashboard show. */
export const documentedSample = (type: EventType): string =>
  JSON.stringify(
    sampleEvent(
      type,
      { aid: 'ExampleAID', environment: 'production' },
      'evt_0SampleEvent0000',
      1_804_064_400,
    ),
    null,
    2,
  )
