import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../cli/audit/declarations.ts'
import { AUDIT_GROUPS } from '../../domain/staff/audit-groups.ts'
import { routes } from './routes.ts'

const SOURCES = join(import.meta.dirname, '../..')

/** The texts of the web app, which no source of the server may import. */
const load = async (name: string) =>
  (await import(join(SOURCES, '../../dashboard/src/texts', name))) as Record<string, object>
const { AUDIT_ACTIONS = {} } = await load('audit.ts')
const { AUDIT_SENTENCES = {} } = await load('sentences.ts')
const { peopleTexts } = await load('people.ts')
const { happened } = peopleTexts as { happened: object }

/** Reads the sources of the service, without tests. */
const sources = (folder: string): string[] =>
  readdirSync(join(SOURCES, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(SOURCES, folder, name), 'utf8'))

/** The names in the sources that follow `action:`, or that are a constant for it. */
const actionsIn = (folders: readonly string[]): string[] =>
  folders.flatMap(sources).flatMap((text) => {
    const quoted = text.matchAll(/\baction(?:: | = |: \w+ \? )'([^']+)'(?: : '([^']+)')?/g)
    const constants = text.matchAll(/^(?:export )?const (?:ACTION_\w+|MERGED_IN) = '([^']+)'/gm)
    return [...quoted, ...constants].flatMap(([, one, other]) =>
      [one, other].filter((name) => name !== undefined),
    )
  })

describe('every action in the audit log', () => {
  const actions = [
    ...routes.flatMap(({ action, kind }) =>
      action === undefined || (kind === 'public' && /\.(look|challenge)$/.test(action))
        ? []
        : [action],
    ),
    ...Object.values(COMMANDS)
      .flat()
      .flatMap((one) =>
        one.kind === 'audited' ? [one.action] : one.kind === 'own' ? one.actions : [],
      ),
    ...actionsIn(['cli', 'domain/staff', 'domain/connections']).filter((name) =>
      /^[a-z]+\.[a-z_-]+$/.test(name),
    ),
  ]

  it('has a sentence and a name', () => {
    expect(new Set(actions).size).toBeGreaterThan(60)
    expect(actions).toContain('session.begin_with_passkey')
    expect(actions.filter((action) => !(action in AUDIT_SENTENCES))).toEqual([])
    expect(actions.filter((action) => !(action in AUDIT_ACTIONS))).toEqual([])
  })

  it('belongs to one group, by which the log is filtered', () => {
    const kinds = Object.values<readonly string[]>(AUDIT_GROUPS).flat()
    expect(new Set(kinds).size).toBe(kinds.length)
    const kindOf = (action: string) => action.slice(0, action.indexOf('.'))
    expect(actions.filter((action) => !kinds.includes(kindOf(action)))).toEqual([])
  })
})

/** Changes of an application, not of a person: no timeline has them. */
const NOT_ABOUT_PEOPLE =
  /^(application|price|resource|download|downloads|settings|sandbox|key|image|webhook)\b/

describe('every action in the history of a person', () => {
  it('has a sentence', () => {
    const all = [...new Set(actionsIn(['domain', 'worker', 'cli']))]
    const actions = all.filter(
      (name) => !name.includes('.') && !NOT_ABOUT_PEOPLE.test(name) && !UNRECORDED.includes(name),
    )
    expect(actions.length).toBeGreaterThan(25)
    for (const known of ['granted', 'user merged in', 'refund ordered', 'note added']) {
      expect([...actions, ...NAMED_OTHERWISE]).toContain(known)
    }
    const missing = [...actions, ...NAMED_OTHERWISE].filter((action) => !(action in happened))
    expect(missing).toEqual([])
  })
})

/** Actions that cause events or count in metrics, but are not recorded in the history. */
const UNRECORDED = [
  ...['file delivered', 'time over', 'checkout begun', 'checkout completed'],
  ...['reader told again', 'resource told again', 'all told again'],
]

/** Actions that the sources put together, or pass on as an argument. */
const NAMED_OTHERWISE = [
  ...['refund succeeded', 'refund failed', 'note added', 'note changed', 'note removed'],
  'trial not wanted',
]
