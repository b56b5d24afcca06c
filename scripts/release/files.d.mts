export function filesOf(version: string): string[]
export function makeFiles(root: string, folder: string): void
