import { Zip, ZipDeflate } from 'fflate'
import { cellText } from './csv.ts'

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const officeNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const sheets = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const contentTypes = `${declaration}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`
const relation = (type: string, target: string) =>
  `${declaration}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${officeNamespace}/${type}" Target="${target}"/></Relationships>`
const workbook = `${declaration}<workbook xmlns="${sheets}" xmlns:r="${officeNamespace}"><sheets><sheet name="Members" sheetId="1" r:id="rId1"/></sheets></workbook>`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes a cell for XML. Excel reads `_x0041_` as the code of a character, so such an underscore is escaped too. */
const escapeXml = (text: string): string =>
  cellText(text)
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replace(/[&<>"]/g, one => entities[one] ?? one)

/** Name of a column: A to Z, then AA and so on. */
function columnName(index: number): string {
  const lastLetter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? lastLetter : columnName(Math.floor(index / 26) - 1) + lastLetter
}

/**
 * A row of text cells, so that no cell is read as a formula. Row and cells carry their position: the format allows to
 * omit it, but readers such as ExcelJS then find no cells.
 */
const xmlRow = (cells: string[], row: number): string =>
  `<row r="${row}">${cells
    .map(
      (cell, column) =>
        `<c r="${columnName(column)}${row}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`,
    )
    .join('')}</row>`

async function* sheet(head: string[], rows: AsyncIterable<string[][]>): AsyncGenerator<string> {
  let lastRow = 1
  yield `${declaration}<worksheet xmlns="${sheets}"><sheetData>${xmlRow(head, lastRow)}`
  for await (const part of rows) yield part.map(cells => xmlRow(cells, ++lastRow)).join('')
  yield '</sheetData></worksheet>'
}

type File = [name: string, text: Iterable<string> | AsyncIterable<string>]

/** 1 January 1980, the first date of the format: equal content gives an equal file. */
const modifiedAt = new Date(1980, 0, 1)

/** Streams a zip archive. Each text is compressed as it arrives; only the current part is in memory. */
async function* zip(files: File[]): AsyncGenerator<Uint8Array> {
  const parts: Uint8Array[] = []
  const archive = new Zip((error, part) => {
    if (error) throw error
    parts.push(part)
  })
  for (const [name, text] of files) {
    const file = new ZipDeflate(name)
    file.mtime = modifiedAt
    archive.add(file)
    for await (const part of text) {
      file.push(Buffer.from(part))
      yield* parts.splice(0)
    }
    file.push(new Uint8Array(), true)
  }
  archive.end()
  yield* parts
}

/**
 * Streams an Excel workbook with one sheet. The npm packages that stream are unmaintained, and the maintained ones hold
 * the whole sheet in memory.
 */
export const xlsxFile = (head: string[], rows: AsyncIterable<string[][]>): AsyncGenerator<Uint8Array> =>
  zip([
    ['[Content_Types].xml', [contentTypes]],
    ['_rels/.rels', [relation('officeDocument', 'xl/workbook.xml')]],
    ['xl/workbook.xml', [workbook]],
    ['xl/_rels/workbook.xml.rels', [relation('worksheet', 'worksheets/sheet1.xml')]],
    ['xl/worksheets/sheet1.xml', sheet(head, rows)],
  ])
