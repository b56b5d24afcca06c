/** Called with what a migration is doing, for an operator who waits. */
export type OnProgress = (text: string) => void

/** The database to migrate, and a listener for the progress. */
export interface MigrationTarget {
  schema: string
  /** The name by which operators know it. */
  place: string
  onProgress: OnProgress
}
