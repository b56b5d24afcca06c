// This folder turns rows into JSON. The suffix of a function tells for whom:
// - `userRecord` and its like: the API. Their schemas are declared here and are part of the public contract.
// - `userItem`: the dashboard. Money is in minor units, and missing values are null.
// - `paymentDetails`: `--json` and the tables of the command line. It often extends the API's record.
// The schema `AccessDetails` is an exception: it belongs to the API, where its name is public.

import { type TObject, type TProperties, Type } from 'typebox'

/** The schema of a record; `$id` is its name. */
export interface RecordSchema {
  readonly $id: string
}

const declared: RecordSchema[] = []

/**
 * Declares the schema of a record that the API returns. The contract and the serializer know it by its name from then on.
 *
 * A schema is never closed (`additionalProperties: false`): responses may gain fields, and a client that was generated
 * from the contract must not refuse them. The serializer sends only fields that are declared.
 */
export function declareRecord<T extends TProperties>(
  name: string,
  fields: T,
): TObject<T> & RecordSchema {
  const schema = Object.assign(Type.Object(fields), { $id: name })
  declared.push(schema)
  return schema
}

/** Lists the schemas of all records whose files are loaded, by name: those of every route that exists. */
export const listRecordSchemas = (): RecordSchema[] =>
  [...declared].sort((a, b) => (a.$id < b.$id ? -1 : 1))

/** The fields of a page with records of this name. */
export const pageSchema = (record: string) => ({
  data: Type.Array(Type.Ref(record), { description: 'The records of this page.' }),
  total: Type.Integer({ description: 'Number of records that match, on all pages.' }),
  page: Type.Integer({ description: 'Number of this page, counted from 0.' }),
  pagesize: Type.Integer({
    description: 'Number of records that a page can have: at most 1,000, whatever was asked for.',
  }),
})
