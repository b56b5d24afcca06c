// The shape of the generated readers. Every value follows from the number of its record, by the same integer arithmetic
// in SQL and here: the right answer for a record is known without reading the database.

const DAY = 86_400
const SPAN = 3 * 365 * DAY
/** The product's value for "no end". */
const FOREVER = 253_402_300_800

const RESOURCES = 1_000
const TAGS = 50

/** Each reader has two records. */
const usersOf = (records) => records / 2

/** Products stay below 2^53 up to 13 million records. */
const SCATTER = { factor: 668_265_263, modulus: 2_147_483_647 }
const STRIDE = 7_919
const scattered = (n) => (n * SCATTER.factor) % SCATTER.modulus

const padded = (n, width) => String(n).padStart(width, '0')
const whole = Math.floor

export const refOf = (user) => `reader-${padded(user, 9)}`
const ridOf = (resource) => `resource-${padded(resource, 4)}`
const tagOf = (tag) => `tag-${padded(tag, 2)}`
export const emailOf = (user) => `reader${padded(user, 9)}@example.com`

/** Whether a record has no end, or one that is at least a day away. */
export const isLive = (n) => scattered(n) % 10 < 8

/** The reader and the resource of a record. */
export function keyOf(n, records) {
  const users = usersOf(records)
  const user = (n * STRIDE) % users
  const draw = ((user * 48_271) % 65_537) % RESOURCES
  // The cube gives a few resources many readers; the second record of a reader is for another resource.
  const resource = (whole(draw ** 3 / 1e6) + 500 * whole(n / users)) % RESOURCES
  return { rid: ridOf(resource), ref: refOf(user), email: emailOf(user) }
}

const OPENED = 100
const articleOf = (resource, n) => `article-${padded(resource, 4)}-${padded(n, 2)}`

/** A rid that the resource of a record opens, once `passEntriesOf` has made all resources passes. */
export const openedBy = (rid, n) => articleOf(Number(rid.slice(-4)), n % OPENED)

/** Makes every resource a pass that opens 100 others: 1,000 passes, 100,000 rids. */
export const passEntriesOf = (aid) => `
  insert into pass_entries (aid, size, value, pass)
  select r.aid, -1, 'article-' || substr(r.rid, 10) || '-' || ${digits('t.n * 10 + o.n', 2)}, r.rid
  from resources r
  cross join (${DIGITS}) t cross join (${DIGITS}) o
  where r.aid = '${aid}' and r.rid like 'resource-%'`

/** The resource and the tag with the most records. */
export const BUSIEST = { rid: ridOf(0), tag: tagOf(0) }

const DIGITS = Array.from({ length: 10 }, (_, n) => `select ${n} as n`).join(' union all ')
const digits = (expression, width) => `substr(cast(${10 ** width} + (${expression}) as text), 2)`
const ref = (user) => `'reader-' || ${digits(user, 9)}`
const uid = (user) =>
  `${digits(`(${user}) * ${SCATTER.factor} % ${SCATTER.modulus}`, 10)} || ${digits(user, 9)} || 'u'`

/** The records as a query for both databases. `series` yields numbers as `n` from 0 on. */
function recordsQuery({ aid, letter, records, series, now }) {
  const users = usersOf(records)
  const start = now - SPAN
  return `
    select '${aid}' as aid, '${letter}' || ${digits('n', 9)} || ${digits('h % 1000000', 6)} as id,
      'resource-' || ${digits(`(draw * draw * draw / 1000000 + 500 * (n / ${users})) % ${RESOURCES}`, 4)} as rid,
      ${uid('j')} as uid, ${ref('j')} as user_ref, created,
      case when h % 10 < 5 then ${FOREVER}
        when h % 10 < 8 then ${now + DAY} + h / 10 % ${365 * DAY}
        else created + (${now} - created) / 2 end as ends,
      case when h / 100 % 10 < 3 then ${tagNumber('h')} end as tag,
      case when h / 100 % 10 = 0 then (${tagNumber('h')} + 7) % ${TAGS} end as tag2
    from (select n, h, j, j * 48271 % 65537 % ${RESOURCES} as draw,
        ${start} + n / 4 * 4 * ${SPAN} / ${records} as created
      from (select n, n * ${SCATTER.factor} % ${SCATTER.modulus} as h, n * ${STRIDE} % ${users} as j
        from (${series(records)}) as numbers) as people) as drawn`
}

const tagNumber = (h) => `(${h} / 1000 % ${TAGS}) * (${h} / 1000 % ${TAGS}) / ${TAGS}`
const tagText = (tag) => `'tag-' || ${digits(tag, 2)}`
const TAG_LIST = `case when tag is null then '[]'
  when tag2 is null then '["' || ${tagText('tag')} || '"]'
  else '["' || ${tagText('tag')} || '","' || ${tagText('tag2')} || '"]' end`

/** The digest of an empty message. */
const DIGEST = '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU'

export const FILLED = [
  'resources',
  'users',
  'user_refs',
  'access',
  'access_tags',
  'sources',
  'history',
]

/** The statements that fill these tables for one application. */
export function statementsFor(application) {
  const { aid, records, series, now } = application
  const start = now - SPAN
  const users = series(usersOf(records))
  return [
    `insert into resources (aid, rid, name, url, created)
      select '${aid}', 'resource-' || ${digits('n', 4)}, 'Resource ' || n, '', ${start} from (${series(RESOURCES)}) as numbers`,
    `insert into users (aid, uid, email, email_key, first_name, last_name, created)
      select '${aid}', ${uid('n')}, 'reader' || ${digits('n', 9)} || '@example.com',
        'reader' || ${digits('n', 9)} || '@example.com', '', '', ${start} from (${users}) as numbers`,
    `insert into user_refs (aid, ref, uid) select '${aid}', ${ref('n')}, ${uid('n')} from (${users}) as numbers`,
    `insert into access (id, aid, rid, uid, user_ref, amount, created, ends, tags)
      select id, aid, rid, uid, user_ref, 0, created, ends, ${TAG_LIST} from (${recordsQuery(application)}) as made`,
    `insert into access_tags (aid, tag, access_id, created)
      select aid, substr(tags, 3, 6), id, created from access where aid = '${aid}' and tags <> '[]'
      union all select aid, substr(tags, 12, 6), id, created from access where aid = '${aid}' and length(tags) > 12`,
    `insert into sources (id, aid, access_id, kind, created, ends, revision, message_digest, notified)
      select id, aid, id, 'grant', created, ends, 1, '${DIGEST}', 0 from access where aid = '${aid}'`,
    `insert into history (aid, seq, tie_breaker, uid, rid, access_id, at, actor, action, after)
      select aid, created * 1000000, id, uid, rid, id, created, 'api', 'granted',
        '{"ends":' || ends || ',"grant_ends":' || ends || ',"tags":' || tags || '}'
      from access where aid = '${aid}'`,
  ]
}

/** A pgbench script that looks up one record, whose number it draws by `draw`. */
export function pgbenchLookUp({ aid, records }, draw) {
  const users = usersOf(records)
  return `\\set n ${draw} - 1
\\set j :n * ${STRIDE} % ${users}
\\set draw :j * 48271 % 65537 % ${RESOURCES}
\\set resource (:draw * :draw * :draw / 1000000 + 500 * (:n / ${users})) % ${RESOURCES}
select a.*, u.email, p.currency from production.user_refs r
  join production.access a on a.aid = r.aid and a.uid = r.uid
  join production.users u on u.aid = a.aid and u.uid = a.uid
  join production.applications p on p.aid = a.aid
  where r.aid = '${aid}' and r.ref = 'reader-' || lpad((:j)::text, 9, '0')
    and a.rid = 'resource-' || lpad((:resource)::text, 4, '0') and a.revoked is null;
`
}
