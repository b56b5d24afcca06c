import type { GatehouseManagement } from '@gatehouse/sdk/management'
import { type Static, type TObject, Type } from 'typebox'

/** Something that an assistant can do. */
export interface Tool {
  name: string
  description: string
  input: TObject
  /** Offered only with `--write`. */
  isWrite: boolean
  run(client: GatehouseManagement, input: never): Promise<unknown>
}

const toolMaker =
  (isWrite: boolean) =>
  <I extends TObject>(
    name: string,
    description: string,
    input: I,
    run: (client: GatehouseManagement, input: Static<I>) => Promise<unknown>,
  ): Tool => ({ name, description, input, isWrite, run })

/** Defines a tool that changes nothing. */
export const readTool = toolMaker(false)

/** Defines a tool that changes something. */
export const writeTool = toolMaker(true)

export const text = (description: string) => Type.String({ description })
export const optionalText = (description: string) => Type.Optional(text(description))

/** The parameters of every list. */
export const paging = {
  page: Type.Optional(Type.Integer({ minimum: 0, description: 'From 0.' })),
  pagesize: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: '50 by default.' }),
  ),
}
