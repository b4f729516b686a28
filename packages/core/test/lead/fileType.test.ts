import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { fileNameFor, fileTypeNamed, fileTypeOf } from "../../src/engagement/lead/fileType.ts"
import { bytesOf, jpeg, ogg, pdf, png, zipOf } from "../fixtures/files.ts"

const container = (brand: string) => bytesOf("\0\0\0\x18ftyp", brand, "\0\0\0\0isomiso2")
const kindOf = (bytes: Uint8Array) => {
  const type = fileTypeOf(bytes)
  return type === null ? null : `${type.kind} ${type.endings[0]}`
}
const document = (part: string, ...more: ReadonlyArray<string>) => zipOf("[Content_Types].xml", part, ...more)

const upTo = (maximum: number) => Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum })))
const bytes = Arbitrary.array(upTo(255), { maxLength: 200 })
const heads = ["PK\x03\x04", "\0\0\0\x18ftyp", "OggS", "%PDF-", "\xff", "PK\x05\x06", ""]

describe("the type of a file", () => {
  it("is found from its bytes", () => {
    const files: ReadonlyArray<readonly [Uint8Array, string]> = [
      [jpeg, "image jpg"],
      [png, "image png"],
      [ogg, "audio ogg"],
      [bytesOf("ID3\x04"), "audio mp3"],
      [bytesOf("\xff\xfb\x90\x64"), "audio mp3"],
      [bytesOf("\xff\xf1\x50\x80"), "audio aac"],
      [bytesOf("#!AMR\n<"), "audio amr"],
      [container("M4A "), "audio m4a"],
      [container("isom"), "video mp4"],
      [container("3gp4"), "video 3gp"],
      [pdf, "document pdf"],
      [document("word/document.xml"), "document docx"],
      [document("xl/workbook.xml"), "document xlsx"],
      [document("ppt/presentation.xml"), "document pptx"],
      [new TextEncoder().encode("name,नंबर\nAsha,1\n"), "document txt"]
    ]
    for (const [bytes, expected] of files) {
      assert.strictEqual(kindOf(bytes), expected)
      assert.strictEqual(fileTypeNamed(fileTypeOf(bytes)!.mimeType), fileTypeOf(bytes)!)
    }
  })

  it("does not exist for pages, drawings, scripts, programs, archives, macros and formats that WhatsApp does not take", () => {
    const refused = {
      page: bytesOf("<!doctype html><script>alert(1)</script>"),
      "page after spaces": bytesOf(" \n\t<html>"),
      "page after a byte order mark": new TextEncoder().encode("\ufeff<html>"),
      drawing: bytesOf('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
      "drawing as XML": bytesOf('<?xml version="1.0"?><svg/>'),
      script: bytesOf("#!/bin/sh\nrm -rf ~"),
      rtf: bytesOf("{\\rtf1 x}"),
      postscript: bytesOf("%!PS-Adobe-3.0"),
      "a program": bytesOf("MZ\x90\0\x03"),
      elf: bytesOf("\x7fELF\x02"),
      gif: bytesOf("GIF89a\x01\0"),
      webp: bytesOf("RIFF\x10\0\0\0WEBPVP8 "),
      heic: container("heic"),
      quicktime: container("qt  "),
      vorbis: bytesOf("OggS", "\0".repeat(24), "\x01vorbis"),
      "an old office file": bytesOf("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
      archive: zipOf("a.txt"),
      app: zipOf("AndroidManifest.xml", "classes.dex"),
      macros: document("word/document.xml", "word/vbaProject.bin"),
      "two documents in one": document("word/document.xml", "xl/workbook.xml"),
      "an archive without its directory": document("word/document.xml").subarray(0, 60),
      utf16: bytesOf("\xff\xfeh\0i\0"),
      "broken utf-8": bytesOf("abc\xff"),
      "a control character": bytesOf("abc\x1b[2J"),
      "pdf after other bytes": bytesOf("\0%PDF-1.7"),
      "half a header of PNG": bytesOf("\x89PNG\r\n\x1a\n")
    }
    for (const [what, bytes] of Object.entries(refused)) assert.isNull(fileTypeOf(bytes), what)
  })

  it("of a file that is two things at once is that of its first bytes", () => {
    const both = (first: Uint8Array, second: Uint8Array) => Uint8Array.of(...first, ...second)
    assert.strictEqual(kindOf(both(jpeg, zipOf("META-INF/MANIFEST.MF"))), "image jpg")
    assert.strictEqual(kindOf(both(png, bytesOf("<script>alert(1)</script>"))), "image png")
    assert.strictEqual(fileNameFor(fileTypeOf(both(pdf, bytesOf("<html>")))!, "x.html"), "x.html.pdf")
    assert.isNull(fileTypeOf(both(bytesOf("GIF89a=1;"), document("word/document.xml"))))
  })

  it.prop(
    "is found or missing, and never an error, whatever the bytes",
    [bytes, upTo(heads.length - 1)],
    ([rest, n]) => {
      fileTypeOf(Uint8Array.of(...bytesOf(heads[n]!), ...rest))
      // An end of the directory that points anywhere.
      fileTypeOf(Uint8Array.of(...bytesOf("PK\x03\x04"), ...rest, ...bytesOf("PK\x05\x06"), ...rest.slice(0, 18)))
    }
  )
})

describe("the name of a sent file", () => {
  const type = fileTypeOf(pdf)!
  it("keeps a good name, drops folders, and always ends as the type does", () => {
    const names = {
      "bill.pdf": "bill.pdf",
      "Bill.PDF": "Bill.PDF",
      "../../etc/passwd": "passwd.pdf",
      "C:\\Users\\Asha\\bill.pdf": "bill.pdf",
      "bill.pdf.exe": "bill.pdf.exe.pdf",
      "invoice\u202efdp.exe": "invoice_fdp.exe.pdf",
      "a\0b\r\nc.pdf": "a_b__c.pdf",
      'x"; filename="y.pdf': "x_; filename=_y.pdf",
      ".pdf": "pdf.pdf",
      "": "file.pdf",
      "...": "file.pdf",
      "चालान\u200d.pdf": "चालान\u200d.pdf",
      "\ud800.pdf": "_.pdf"
    }
    for (const [given, expected] of Object.entries(names)) assert.strictEqual(fileNameFor(type, given), expected, given)
  })

  it.prop("is safe and short, whatever was given", [Arbitrary.array(upTo(0xffff), { maxLength: 400 })], ([units]) => {
    const name = fileNameFor(type, String.fromCharCode(...units))
    assert.match(name, /^[^\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}/\\]+\.pdf$/iu)
    assert.isAtMost(name.length, 200)
  })
})
