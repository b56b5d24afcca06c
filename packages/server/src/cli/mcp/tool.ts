import type { GatehouseManagement, ManagementOperation } from '@gatehouse/sdk/management'
import { type Static, type TObject, Type } from 'typebox'

/** What a client may tell the person who is asked whether a tool may be used. */
interface Hints {
  readOnlyHint: boolean
  /** Whether it may overwrite or end something, instead of only adding to what is there. */
  destructiveHint: boolean
  /** Whether a second use with the same input changes nothing more. */
  idempotentHint: boolean
}

/** Something that an assistant can do. */
export interface Tool {
  name: string
  /** The operation whose response the tool returns. */
  operation: ManagementOperation
  description: string
  input: TObject
  hints: Hints
  run(client: GatehouseManagement, input: never): Promise<unknown>
}

const toolMaker =
  (hints: Hints) =>
  <I extends TObject>(
    name: string,
    operation: ManagementOperation,
    description: string,
    input: I,
    run: (client: GatehouseManagement, input: Static<I>) => Promise<unknown>,
  ): Tool => ({ name, operation, description, input, hints, run })

/** Defines a tool that changes nothing. */
export const readTool = toolMaker({
  ...{ readOnlyHint: true, destructiveHint: false, idempotentHint: true },
})

/** Defines a tool that adds something each time. */
export const addingTool = toolMaker({
  ...{ readOnlyHint: false, destructiveHint: false, idempotentHint: false },
})

/** Defines a tool that adds something which can be there only once. */
export const creatingTool = toolMaker({
  ...{ readOnlyHint: false, destructiveHint: false, idempotentHint: true },
})

/** Defines a tool that replaces or ends something. */
export const changingTool = toolMaker({
  ...{ readOnlyHint: false, destructiveHint: true, idempotentHint: true },
})

export const text = (description: string) => Type.String({ description })
export const optionalText = (description: string) => Type.Optional(text(description))

/** The parameters of every list. */
export const paging = {
  page: Type.Optional(Type.Integer({ minimum: 0, description: 'From 0.' })),
  pagesize: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: '50 by default.' }),
  ),
}
