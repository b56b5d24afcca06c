export function undescribedFields(document: object): Generator<string>
