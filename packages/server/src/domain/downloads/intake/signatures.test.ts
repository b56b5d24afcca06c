import { describe, expect, it } from 'vitest'
import { problemWithStart } from './signatures.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')
const HTML = bytes('\xef\xbb\xbf\n <!-- a note --><!DOCTYPE html><script>alert(1)</script>')
const EXE = bytes('MZ\x90\x00\x03')
const ZIP = bytes('PK\x03\x04\x14\x00')
const PDF = bytes('%PDF-1.7\n')

describe('the beginning of a file', () => {
  it.each([
    ['a.pdf', PDF],
    ['A.PDF', bytes(`${'\n'.repeat(1_000)}%PDF-1.4`)],
    ['a.zip', ZIP],
    ['a.epub', ZIP],
    ['a.docx', ZIP],
    ['a.png', bytes('\x89PNG\r\n\x1a\n')],
    ['a.jpg', bytes('\xff\xd8\xff\xe0')],
    ['a.jpeg', bytes('\xff\xd8\xff\xdb')],
    ['a.gif', bytes('GIF89a')],
    ['a.webp', bytes('RIFF\x00\x00\x00\x00WEBPVP8 ')],
    ['a.mp3', bytes('ID3\x04')],
    ['a.mp3', bytes('\xff\xfb\x90')],
    ['a.mp4', bytes('\x00\x00\x00\x20ftypisom')],
    ['a.mov', bytes('\x00\x00\x00\x08wide')],
    ['a.wav', bytes('RIFF\x00\x00\x00\x00WAVEfmt ')],
    ['a.flac', bytes('fLaC')],
    ['a.ogg', bytes('OggS')],
    ['a.mkv', bytes('\x1a\x45\xdf\xa3')],
    ['a.7z', bytes('7z\xbc\xaf\x27\x1c')],
    ['a.tar.gz', bytes('\x1f\x8b\x08')],
    ['a.mobi', bytes(`${'x'.repeat(60)}BOOKMOBI`)],
    ['a.html', HTML],
    ['setup.exe', EXE],
    // Names that say nothing that can be checked.
    ['a.txt', bytes('MZ'.slice(1))],
    ['a.txt', HTML],
    ['a.txt', Buffer.alloc(0)],
    ['a.bin', EXE],
    ['README', EXE],
    ['.pdf.', EXE],
  ])('fits the name %s', (name, start) => {
    expect(problemWithStart(name, start)).toBeUndefined()
  })

  it.each([
    ['a.pdf', ZIP, 'looks like a ZIP archive. Upload the right file, or give it a name that ends'],
    ['a.pdf', HTML, 'looks like a web page. Upload the right file, or give it a name that ends'],
    ['a.pdf', EXE, 'looks like a Windows program.'],
    ['a.jpg', bytes('\x7fELF\x02'), 'looks like a Linux program. Upload the right file.'],
    ['a.epub', PDF, 'looks like a PDF.'],
    ['a.mp3', EXE, 'looks like a Windows program.'],
    ['a.mp4', bytes('#!/bin/sh'), 'looks like a script. Upload the right file.'],
    ['a.csv', EXE, 'looks like a Windows program.'],
    ['a.txt', bytes('\xcf\xfa\xed\xfe'), 'looks like a macOS program.'],
    ['a.html', EXE, 'looks like a Windows program.'],
    ['a.exe', PDF, 'looks like a PDF.'],
    ['a.png', bytes('\xff\xd8\xff\xe0'), 'looks like a JPEG picture.'],
    ['a.pdf', bytes('some text'), 'the content is not a PDF. Check whether the file is complete'],
    ['a.zip', Buffer.alloc(0), 'the file is empty. Check whether the file is complete'],
    ['a.webp', bytes('RIFF\x00\x00\x00\x00WAVE'), 'looks like a WAV recording.'],
  ])('contradicts the name %s', (name, start, text) => {
    const problem = problemWithStart(name, start)
    expect(problem).toContain(text)
    expect(problem).toMatch(/^The name ends with \.\w+, but /)
  })
})
