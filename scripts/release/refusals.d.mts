export function versionOf(root: string): string
export function findRefusals(root: string): string[]
