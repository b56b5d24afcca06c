export function versionOf(root: string): string
export function isDevelopment(version: string): boolean
export function hasUnreleasedChanges(changelog: string): boolean
export function findRefusals(root: string): string[]
