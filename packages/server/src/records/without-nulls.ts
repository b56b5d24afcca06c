/** The type with each field that may be null left out instead. */
export type WithoutNulls<T> = {
  [K in keyof T as null extends T[K] ? never : K]: T[K]
} & {
  [K in keyof T as null extends T[K] ? K : never]?: Exclude<T[K], null>
}

/** Leaves out what is null: the API and the command line omit what the dashboard and an export show as null. */
export function withoutNulls<T extends object>(record: T): WithoutNulls<T> {
  const set = Object.entries(record).filter(([, value]) => value !== null)
  return Object.fromEntries(set) as WithoutNulls<T>
}
