import { Type } from 'typebox'
import { showMoney } from '../../../domain/apps/currency.ts'
import { findAnything, type GlobalSearchMatches } from '../../../domain/people/find.ts'
import { findEmailsByUid } from '../../../domain/users/prefix.ts'
import * as fields from '../../../fields.ts'
import { readField } from '../../../parameters.ts'
import { nameOf } from '../access/view.ts'
import type { Hit, Hits } from '../people/schemas.ts'
import { appRoute, STAFF } from '../route.ts'

const MAX_HITS = 10
/** Maximum results per kind, so that no kind crowds out the others. */
const MAX_OF_A_KIND = 5

/** Searches everything a text can match: an email, a user_ref, a uid, a name, a rid or an id. */
const find = appRoute('GET /find', {
  management: 'GET /search',
  allowed: STAFF,
  query: Type.Object({
    q: Type.String({
      maxLength: 255,
      description:
        'The text to search for: an email address, a reference, a uid, a name, a rid or an id, or its beginning.',
    }),
  }),
  async handle({ env, aid, query }): Promise<Hits> {
    const q = readField('q', query.q.trim(), fields.searchText)
    const db = env.database.read
    const found = await findAnything(db, aid, q, MAX_OF_A_KIND)
    const named = [...found.access, ...found.payments, ...found.subscriptions]
    const emails = await findEmailsByUid(
      db,
      aid,
      named.map(({ uid }) => uid),
    )
    return { data: hitsOf(found, emails).slice(0, MAX_HITS) }
  },
})

function hitsOf(found: GlobalSearchMatches, emails: ReadonlyMap<string, string>): Hit[] {
  const whose = (uid: string) => emails.get(uid) ?? uid
  return [
    ...found.access.map(({ id, rid, uid }) => ({
      ...{ kind: 'access' as const, id, title: rid, detail: whose(uid), uid },
    })),
    ...found.payments.map(({ id, rid, uid, amount, currency }) => ({
      ...{ kind: 'payment' as const, id, uid },
      title: showMoney(amount, currency),
      detail: `${rid}, ${whose(uid)}`,
    })),
    ...found.subscriptions.map(({ id, rid, uid, status }) => ({
      ...{ kind: 'subscription' as const, id, title: rid, detail: `${status}, ${whose(uid)}`, uid },
    })),
    ...found.people.map((user) => ({
      ...{ kind: 'person' as const, id: user.uid, uid: user.uid },
      title: nameOf(user) || user.email || user.uid,
      detail: user.email ?? user.contact_email ?? user.uid,
    })),
    ...found.resources.map(({ rid, name }) => ({
      ...{ kind: 'resource' as const, id: rid, title: name, detail: rid, uid: null },
    })),
  ]
}

export const findRoutes = [find]
