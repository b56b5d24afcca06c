import { Draw } from '../model/draw.ts'
import type { OperationKind } from '../model/operation-kind.ts'
import { type Operation, readScript } from '../model/script.ts'

/** A history whose last operation is made to fail at each of its calls. */
export type FaultScript = readonly Operation[]

const BUY = 't1: buy price=month ref=ann typed=ann@example.com pay=good'
const SUBSCRIBE = 't1: buy price=abo ref=ann typed=ann@example.com pay=good'
const GRANT = 'p1: grant rid=r1 email=ann@example.com ref=ann tags=gold'
const OTHER = 'p2: grant rid=r2 email=bob@example.com ref=bob days=30'
/** Ann's address is a former one of Bob. */
const MERGED = `${GRANT}; ${OTHER}; merge from=@p1 into=@p2`

/** Histories by the kind of their last operation; `;` separates operations. A kind that is not listed is drawn. */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  grant: [
    GRANT,
    `${GRANT} via=dashboard`,
    `${GRANT} via=cli`,
    `${GRANT}; p2: grant rid=r1 email=ann@example.com ref=ann days=30`,
    `${BUY}; p2: grant rid=r2 email=ann@example.com`,
    `${MERGED}; p3: grant rid=r3 email=ann@example.com ref=ann`,
  ],
  search: [`${GRANT}; ${OTHER}; search tag=gold`, `${GRANT}; search ref=ann expired=yes`],
  import: [
    'import rid=r1 email=ann@example.com ref=ann days=30',
    'import rid=r1 email=ann@example.com via=cli',
  ],
  export: [`${GRANT}; ${OTHER}; export`],
  revoke: [
    `${GRANT}; revoke rid=r1 ref=ann`,
    `${GRANT}; revoke rid=r1 ref=ann via=dashboard`,
    `${GRANT}; revoke rid=r1 ref=ann via=cli`,
    `${BUY}; revoke rid=r1 ref=ann refund=yes`,
    `${BUY}; revoke rid=r1 ref=ann refund=yes via=dashboard`,
    `${BUY}; revoke rid=r1 ref=ann refund=yes via=selection`,
    `${BUY}; revoke rid=r1 ref=ann refund=yes via=cli`,
    `${SUBSCRIBE}; revoke rid=r2 ref=ann refund=yes`,
  ],
  'send-mails': [`${GRANT}; send-mails`, `${BUY}; send-mails`],
  extend: [`${OTHER}; extend rid=r2 ref=bob days=90`],
  erase: [
    `${GRANT}; erase who=@p1`,
    `${GRANT}; erase who=@p1 via=cli`,
    `${SUBSCRIBE}; erase who=@t1`,
    `${MERGED}; erase who=@p2`,
    `${GRANT}; t1: buy price=week ref=ann email=ann@example.com; erase who=@p1`,
  ],
  merge: [
    `${GRANT}; ${OTHER}; merge from=@p2 into=@p1`,
    `${GRANT}; ${OTHER}; merge from=@p2 into=@p1 via=cli`,
    `${MERGED}; p3: grant rid=r3 email=cid@example.com; merge from=@p2 into=@p3`,
    `${BUY}; t2: buy price=month ref=bob typed=bob@example.com pay=good; merge from=@t1 into=@t2`,
  ],
  'set-email': [
    `${GRANT}; set-email who=@p1 email=dot@example.com`,
    `${GRANT}; set-email who=@p1 email=dot@example.com via=cli`,
    `${MERGED}; p3: grant rid=r3 email=cid@example.com; set-email who=@p3 email=ann@example.com`,
  ],
  'add-ref': [`${GRANT}; add-ref who=@p1 ref=x1`, `${GRANT}; add-ref who=@p1 ref=x1 via=cli`],
  look: [`${GRANT}; look who=@p1`],
  buy: [
    't1: buy price=month ref=ann typed=ann@example.com',
    BUY,
    SUBSCRIBE,
    't1: buy price=trial ref=ann email=ann@example.com pay=good',
    't1: buy price=once typed=ann@example.com pay=slow',
    `${BUY}; t2: buy again=t1 pay=good`,
  ],
  pay: ['t1: buy price=month ref=ann typed=ann@example.com; pay tab=t1'],
  return: [
    't1: buy price=abo ref=ann typed=ann@example.com; pay tab=t1; return tab=t1',
    't1: buy price=abo ref=ann typed=ann@example.com; return tab=t1 gave_up=yes again=yes',
    // The buyer pays twice, and the second payment is paid back.
    't1: buy price=abo ref=ann typed=ann@example.com; t2: buy price=abo ref=ann typed=ann@example.com; pay tab=t1; pay tab=t2; return tab=t1; return tab=t2',
  ],
  finish: ['t1: buy price=month ref=ann typed=ann@example.com pay=slow; finish tab=t1 paid=yes'],
  cancel: [
    `${SUBSCRIBE}; cancel rid=r2 ref=ann`,
    `${SUBSCRIBE}; cancel rid=r2 ref=ann via=dashboard`,
    `${SUBSCRIBE}; cancel rid=r2 ref=ann via=cli`,
  ],
  resume: [
    `${SUBSCRIBE}; cancel rid=r2 ref=ann; resume rid=r2 ref=ann`,
    `${SUBSCRIBE}; cancel rid=r2 ref=ann; resume rid=r2 ref=ann via=dashboard`,
    `${SUBSCRIBE}; cancel rid=r2 ref=ann; resume rid=r2 ref=ann via=cli`,
  ],
  manage: [
    `${SUBSCRIBE}; manage rid=r2 ref=ann action=cancel`,
    `${SUBSCRIBE}; cancel rid=r2 ref=ann; manage rid=r2 ref=ann action=resume`,
    `${SUBSCRIBE}; manage rid=r2 ref=ann action=card`,
  ],
  refund: [
    `${BUY}; refund tab=t1`,
    `${BUY}; refund tab=t1 amount=1.00 reference=one`,
    `${BUY}; refund tab=t1 via=dashboard`,
    `${BUY}; refund tab=t1 amount=2.50 reference=two via=dashboard`,
    `${BUY}; refund tab=t1 via=cli`,
  ],
  'search-payments': [`${BUY}; search-payments`],
  dispute: [`${BUY}; dispute tab=t1 outcome=opened`],
  'refund-at-provider': [`${BUY}; refund-at-provider tab=t1 amount=100`],
  fault: ['fault kind=reset_before'],
  events: [
    't1: buy price=abo ref=ann typed=ann@example.com; pay tab=t1; events',
    't1: buy price=month ref=ann typed=ann@example.com pay=slow; finish tab=t1 paid=yes; events',
    `${BUY}; events; dispute tab=t1 outcome=opened; events`,
    `${BUY}; events; refund-at-provider tab=t1 amount=499; events how=twice`,
    't1: buy price=abo ref=ann typed=ann@example.com; pay tab=t1; events how=reversed',
  ],
  archive: ['archive rid=r1', 'archive rid=r1; archive rid=r1 back=yes'],
  'archive-app': ['archive-app app=b'],
  'rotate-key': ['rotate-key app=a', 'rotate-key app=a via=cli'],
  'rotate-master': [`${GRANT}; rotate-master`],
  reconcile: [
    't1: buy price=month ref=ann typed=ann@example.com; pay tab=t1; events how=lost; reconcile',
    `${BUY}; events; refund-at-provider tab=t1 amount=499; events how=lost; reconcile`,
  ],
  advance: [
    `${SUBSCRIBE}; advance seconds=2592000`,
    't1: buy price=abo ref=ann typed=ann@example.com pay=declined_later; advance seconds=2592000',
    't1: buy price=trial ref=ann typed=ann@example.com pay=good; advance seconds=604800',
    't1: buy price=abo ref=ann typed=ann@example.com pay=slow_later; advance seconds=2592000',
    `${SUBSCRIBE}; cancel rid=r2 ref=ann; advance seconds=2592000`,
    't1: buy price=week ref=ann typed=ann@example.com; pay tab=t1; events how=lost; advance seconds=7200',
  ],
  work: [
    't1: buy price=week ref=ann typed=ann@example.com; pay tab=t1; events how=lost; work',
    `${GRANT}; t1: buy price=week ref=ann email=ann@example.com; erase who=@p1; work`,
  ],
  backup: [`${GRANT}; b1: backup`],
  restore: [`${GRANT}; b1: backup; ${OTHER}; restore backup=b1`],
  publish: ['publish rid=r1', 'publish rid=r1; publish rid=r1'],
  download: [
    `${GRANT}; publish rid=r1; download rid=r1 ref=ann`,
    `${GRANT}; publish rid=r1; download rid=r1 ref=ann spelling=other`,
  ],
  'arrange-files': ['publish rid=r1; arrange-files rid=r1 version=second'],
  'replace-file': ['publish rid=r1; replace-file rid=r1 version=second'],
  'reader-files': [`${GRANT}; publish rid=r1; reader-files rid=r1 ref=ann`],
  deliver: [`w1: webhook types=*; ${GRANT}; deliver mode=ok`],
  'change-webhook': ['set', 'rotate-secret', 'disable', 'delete'].map(
    (how) => `w1: webhook types=*; change-webhook hook=w1 how=${how}`,
  ),
  resend: [`w1: webhook types=*; ${GRANT}; deliver mode=ok; resend hook=w1`],
  check: [`${GRANT}; check rid=r1 ref=ann`, `${GRANT}; check rid=r2 ref=ann`],
  read: [
    'access show',
    'access why',
    'access search',
    'access history',
    'access export',
    'app list',
    'app show',
    'clock show',
    'download list',
    'download show',
    'link create',
    'download deliveries',
    'mail list',
    'payment list',
    'price list',
    'resource list',
    'resource show',
    'staff list',
    'subscription list',
    'subscription show',
    'subscription link',
    'user show',
    'user export',
  ].map((command) => `${SUBSCRIBE}; read command="${command}" rid=r2 ref=ann`),
}

export const SCRIPTED_KINDS = Object.keys(SCRIPTS)

/** The kinds that call nothing of the service: they move the provider or the payer. */
export const OUTSIDE_KINDS = new Set([
  ...['pay', 'finish', 'dispute', 'foreign', 'refund-at-provider', 'fault'],
])

/** Something of everything, for kinds that are drawn. */
const WORLD = `${BUY}; events; p2: grant rid=r2 email=bob@example.com ref=bob days=30; b3: backup`
const DRAWS = 50

/** The histories in which a kind is made to fail. */
export function faultScriptsOf(kind: OperationKind): FaultScript[] {
  const listed = SCRIPTS[kind.name]
  if (listed) return listed.map((script) => readScript(script.replaceAll('; ', '\n')))
  const before = readScript(WORLD.replaceAll('; ', '\n'))
  for (let seed = 0; seed < DRAWS; seed++) {
    const draw = new Draw(seed)
    draw.labels.person.push('t1', 'p2')
    draw.labels.tab.push('t1')
    draw.labels.backup.push('b3')
    const drawn = kind.draw(draw)
    if (drawn) return [[...before, { name: kind.name, ...drawn }]]
  }
  throw new Error(`no history ends with ${kind.name}: add one to SCRIPTS`)
}
