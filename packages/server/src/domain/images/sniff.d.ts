export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'heic' | 'svg'
export function imageFormatOf(bytes: Buffer): ImageFormat | undefined
export function canGrow(bytes: Buffer): boolean
