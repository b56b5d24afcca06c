import { pluralize } from '../format.ts'

export const webhooksTexts = {
  title: 'Webhooks',
  lead: 'Gatehouse sends what happens to your server as it happens: a POST request with a signed JSON body for each event.',
  create: 'Add endpoint',
  emptyTitle: 'No endpoints',
  empty:
    'Add the URL of your server, and it learns of payments, cancellations and changes of access within seconds. Without one, your site can read the events through the API.',
  url: {
    label: 'URL',
    hint: 'An https address of your server, such as https://example.com/webhooks.',
  },
  description: { label: 'Description', hint: 'What it is for. Only your team sees it.' },
  events: 'Events',
  chosen: {
    all: 'All events',
    access: 'Only what readers have access to',
    some: 'Choose events',
  },
  typesOf: (types: readonly string[]) =>
    types.includes('*')
      ? 'All events'
      : types.length > 3
        ? `${types.length} kinds of events`
        : types.join(', '),
  chooseOne: 'Choose at least one kind of event.',
  createTitle: 'Add an endpoint',
  createSummary: 'It gets events from now on.',
  editTitle: 'Edit endpoint',
  edit: 'Edit',
  save: 'Save',
  saved: 'The endpoint is saved.',

  secretTitle: 'Signing secret',
  secretLead:
    'Your server verifies signatures with this secret. Copy it now: it is not shown again. If you lose it, rotate it.',
  secret: 'Secret',
  done: 'Done',

  states: { on: 'On', failing: 'Failing', off: 'Off', disabled: 'Disabled' },
  state: 'State',
  neverSent: 'Nothing has been sent yet.',
  lastSuccess: 'Last success',
  working: 'Events are delivered as they happen.',
  failing: (error: string) =>
    `Your server is failing: ${error} Events are queued, and sent in order as soon as it works again.`,
  nextAttempt: 'Next attempt',
  off: {
    gone: 'Your server answered that this URL is gone (410), so nothing is sent to it any more.',
    failing: 'Your server failed for 5 days, so nothing is sent to it any more.',
  },
  disabled: 'Nothing is sent to it until somebody enables it.',
  missed: (from: string, to: string) => `While it was off, it missed events from ${from} to ${to}.`,
  missedReplay: 'Choose Replay events to send them.',
  replaying: (queued: number) =>
    queued === 0
      ? 'A replay has begun.'
      : `A replay is running: ${pluralize(queued, 'event is', 'events are')} queued so far.`,

  replay: 'Replay events',
  replayTitle: 'Replay events',
  replayLead:
    'Sends events of a time range again, with the same ids. Events that are already queued are not sent twice.',
  replayFrom: 'From',
  replayTo: 'To',
  replayMode: 'Which events',
  replayModes: { failed: 'Only those not delivered', all: 'All, including delivered ones' },
  replayNone: 'No events in this time range.',
  replayEffect: (events: number, from: string, to: string) =>
    `${pluralize(events, 'event is', 'events are')} sent, from ${from} to ${to}.`,
  replayOrder: 'The end must be after the beginning.',
  replayStarted: 'The replay has begun.',
  replayAction: 'Send again',

  about: 'Endpoint',
  version: 'Event version',
  created: 'Created',
  secrets: 'Signing secret',
  secretSince: 'since',
  secretsBoth: 'Two secrets sign until',
  actions: 'Actions',
  test: 'Send test event',
  testTitle: 'Test event',
  testOk: (status: number, ms: number) => `Your server responded with ${status} in ${ms} ms.`,
  testFailed: (status: number) =>
    `Your server responded with ${status}. It must respond with 200 to 299.`,
  rotate: 'Rotate secret',
  rotateTitle: 'Rotate the signing secret?',
  rotateEffect:
    'A new secret is created and shown once. For the time you choose, events are signed with both, so that nothing is refused while you switch.',
  rotateOverlap: 'The old secret also signs for',
  disable: 'Disable',
  disableTitle: (url: string) => `Disable ${url}?`,
  disableEffect:
    'Nothing more is sent to it. Events that it misses can be sent once it is enabled again.',
  enable: 'Enable',
  enabled: 'The endpoint is enabled. It gets events from now on.',
  remove: 'Delete',
  removeTitle: (url: string) => `Delete ${url}?`,
  removeEffect:
    'Nothing more is sent to it, and the log of its deliveries is deleted. Events themselves are kept.',
  removed: 'The endpoint is deleted.',

  deliveries: 'Deliveries',
  noDeliveriesTitle: 'No deliveries',
  noDeliveries:
    'Each event that is sent to this endpoint appears here with your server’s response. Send a test event to try the connection.',
  deliveryStates: {
    pending: 'Waiting',
    sending: 'Sending',
    delivered: 'Delivered',
    failed: 'Failed',
  },
  type: 'Event',
  answer: 'Answer',
  attempts: 'Attempts',
  when: 'Time',
  allStates: 'All states',
  noAnswer: 'none yet',
  delivery: 'Delivery',
  request: 'Request body',
  noBody: 'The event is no longer stored.',
  tries: 'Attempts',
  noTries: 'No attempts yet.',
  attempt: (number: number) => `Attempt ${number}`,
  took: (ms: number) => `${ms} ms`,
  response: 'Response body',
  noResponse: 'The response has no body.',
  resend: 'Send again',
  resent: 'The event is queued and is sent within seconds.',
  person: 'Person',
  toPerson: 'Open the person',
  eventId: 'Event ID',

  eventsLead:
    'What happened in this application, newest first. Your server can read the same through the API.',
  noEventsTitle: 'No events',
  noEvents: 'Events appear here when something happens: a grant, a payment, a cancellation.',
  allTypes: 'All events',
  sequence: 'Number for this reader',
  body: 'Body',
  catalogue: 'All kinds of events',
  sample: 'Sample',
  sampleLead: 'A sample of what your server gets.',
  count: (total: number) => pluralize(total, 'event', 'events'),
} as const
