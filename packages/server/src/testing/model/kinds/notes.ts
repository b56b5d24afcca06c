import { args } from '../draw.ts'
import { requireThat } from '../failure.ts'
import { NOT_APPLICABLE, type OperationKind } from '../operation-kind.ts'
import type { Person } from '../reference.ts'
import type { Args } from '../script.ts'
import type { Shop } from '../shop.ts'
import type { World } from '../world.ts'

interface Note {
  id: string
  text: string
}

const notesIn = (body: unknown) => body as Note[]

/** The fate of the note after it was added. */
const FATES = ['kept', 'changed', 'removed'] as const

/** Writes a note about somebody, and may change or remove it. */
async function writeNote(world: World, given: Args): Promise<string> {
  const shop = world.shop(given.app)
  const uid = world.text(given.who)
  if (uid === undefined) return NOT_APPLICABLE
  const person = shop.reference.byUid(uid)
  const { fate } = given
  // The same text soon after would be taken for the same note.
  const text = `${given.text}, ${person?.notes.length}`
  const isExpected = person !== undefined && !shop.isArchived
  const added = await world.staff(shop, 'POST', `/people/${uid}/notes`, { text })
  requireThat(
    world.wasCut || (added.status === 200) === isExpected,
    'reference',
    'a note is not added as it must be',
    () => ({ uid, status: added.status }),
  )
  if (added.status !== 200 || !person) return 'refused'
  person.notes.push(text)
  const id = notesIn(added.body).find((note) => note.text === text)?.id ?? ''
  const path = `/people/${uid}/notes/${id}`
  if (fate === 'changed') await world.staff(shop, 'PATCH', path, { text: `${text}!` })
  if (fate === 'removed') await world.staff(shop, 'DELETE', path)
  if (fate === 'changed' || fate === 'removed') {
    person.notes.splice(person.notes.indexOf(text), 1)
    if (fate === 'changed') person.notes.push(`${text}!`)
  }
  await requireNotes(world, shop, uid, person)
  return `note ${fate}`
}

/** Compares the notes about a person with the model. */
async function requireNotes(world: World, shop: Shop, uid: string, person: Person): Promise<void> {
  const { body } = await world.staff(shop, 'GET', `/people/${uid}`)
  const stored = notesIn(body.notes).map(({ text }) => text)
  const expected = [...person.notes].sort()
  requireThat(
    JSON.stringify(stored.sort()) === JSON.stringify(expected),
    'reference',
    'somebody’s notes are not those that were written',
    () => ({ uid, stored, expected }),
  )
}

export const noteKinds: readonly OperationKind[] = [
  {
    name: 'note',
    weight: 2,
    reaches: [
      'staff POST /people/:uid/notes',
      'staff PATCH /people/:uid/notes/:id',
      'staff DELETE /people/:uid/notes/:id',
    ],
    draw(draw) {
      const who = draw.person()
      if (who === undefined) return undefined
      const text = `Called on ${draw.pick(['Monday', 'Tuesday', 'Friday'])}`
      return { args: args({ app: draw.app(), who, text, fate: draw.pick(FATES) }) }
    },
    play: writeNote,
  },
]
