import { type TProperties, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import '../../records/decision.ts'
import '../../records/event.ts'
import '../../records/payment.ts'
import '../../records/subscription.ts'
import { listRecordSchemas } from '../../records/declare.ts'
import { EVENT_TYPE_NAMES, EVENT_TYPES } from './catalogue.ts'
import { documentedSample } from './samples.ts'
import { MAX_EVENT_BYTES } from './write.ts'

/** Refuses fields that a schema doesn't declare, except where it says that any are allowed. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([name, one]) => [name, closed(one)]))
  return 'properties' in copy ? { additionalProperties: false, ...copy } : copy
}

const SCHEMAS = Object.fromEntries(
  listRecordSchemas().map((schema) => [schema.$id, closed(schema)]),
) as TProperties

const nameOf = (type: string) =>
  `${type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`

describe('the samples of events', () => {
  it.each(EVENT_TYPE_NAMES)('have one of %s that its schema allows', (type) => {
    const sample = JSON.parse(documentedSample(type))
    expect(sample.type).toBe(type)
    const schema: TSchema = Type.Ref(nameOf(type))
    expect([...Value.Errors(SCHEMAS, schema, sample)]).toEqual([])
    expect(Value.Check(SCHEMAS, schema, sample)).toBe(true)
    expect(Value.Check(SCHEMAS, schema, { ...sample, data: { ...sample.data, odd: 1 } })).toBe(
      false,
    )
    expect(documentedSample(type).length).toBeLessThan(MAX_EVENT_BYTES)
  })

  /** Renewed with `npx vitest run packages/server/src/domain/events/samples.test.ts --update`. */
  it('are those of the documentation', async () => {
    const sections = EVENT_TYPE_NAMES.map(
      (type) =>
        `## ${type}\n\n${EVENT_TYPES[type]}\n\n\`\`\`json\n${documentedSample(type)}\n\`\`\`\n`,
    )
    const page = [INTRODUCTION, ...sections].join('\n')
    await expect(page).toMatchFileSnapshot('../../../../../docs/events/samples.md')
  })
})

const INTRODUCTION = `# A sample of each event

What your site gets, type by type. [Read events](README.md) explains the fields. To try your receiver with them, use
\`gatehouse webhook test ENDPOINT --type TYPE\`, or make one happen in the sandbox with \`gatehouse events trigger TYPE\`.
`
