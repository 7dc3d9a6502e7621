import { read, utils } from '@e965/xlsx'
import ExcelJS from 'exceljs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { csvCell } from './csv.ts'
import { xlsxFile } from './xlsx.ts'

/** Reads the file with common libraries; export.libreoffice.test.ts covers LibreOffice. */
const test = suite('readers of the xlsx export')

/** More than one chunk, more columns than letters, and texts that look like formulas, numbers, dates or markup. */
const head = Array.from({ length: 30 }, (_, column) => `column ${column}`)
const awkward = ['=1+1', '+33 6', '-2*3', '@SUM(A1)', '\tTab', '00123', '1E5', '2026-01-02', 'TRUE', '<b>&amp;</b>"']
const escapes = ['_x0041_', '_X0041_', 'a_x000D_b_xZZZZ_', '_x005F_x0041_', '__x0041__']
const texts = [...awkward, ...escapes, 'two\nlines', '  spaces  ', '日本語 🏨', "O'Neil", 'a'.repeat(300)]
const rows = Array.from({ length: 1_200 }, (_, row) =>
  head.map((_name, column) => texts[(row + column) % texts.length] ?? ''),
)
const all = [head, ...rows]
async function* parts(): AsyncGenerator<string[][]> {
  for (let start = 0; start < rows.length; start += 500) yield rows.slice(start, start + 500)
}

async function bytesOf(file: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const bytes: Uint8Array[] = []
  for await (const part of file) bytes.push(part)
  return Buffer.concat(bytes)
}

/** ExcelJS decodes the escapes of Excel in shared and rich texts, but not in the plain texts within cells. */
const unescapedByExcelJs = (text: string | undefined) => text?.replace(/_x005F_/g, '_')

test('ExcelJS reads every row and cell as text', async () => {
  const workbook = new ExcelJS.Workbook()
  await workbook.xlsx.load((await bytesOf(xlsxFile(head, parts()))) as unknown as ArrayBuffer)
  const sheet = workbook.getWorksheet('Members')
  assert.equal([sheet?.rowCount, sheet?.columnCount], [all.length, head.length])
  const cellRows = all.map((_, row) => head.map((_name, column) => sheet?.getCell(row + 1, column + 1)))
  assert.equal(
    cellRows.map(cells => cells.map(cell => unescapedByExcelJs(cell?.text))),
    all,
  )
  assert.ok(cellRows.flat().every(cell => cell?.type === ExcelJS.ValueType.String))
})

test('SheetJS reads every row and cell as text', async () => {
  const sheet = read(await bytesOf(xlsxFile(head, parts()))).Sheets['Members'] ?? {}
  assert.is(sheet['!ref'], 'A1:AD1201')
  assert.equal(utils.sheet_to_json(sheet, { header: 1, raw: true }), all)
  const kinds = Object.entries(sheet).flatMap(([place, cell]) => (place.startsWith('!') ? [] : [cell.t]))
  assert.equal([...new Set(kinds)], ['s'])
})

test('texts that no cell can hold are cut with "…" or lose the characters, in xlsx and csv alike', async () => {
  const maxLength = 32_767
  const cases: [text: string, cell: string][] = [
    ['a'.repeat(maxLength), 'a'.repeat(maxLength)],
    ['a'.repeat(35_088), `${'a'.repeat(maxLength - 1)}…`],
    [`${'a'.repeat(maxLength - 2)}😀😀`, `${'a'.repeat(maxLength - 2)}…`],
    ['a\u0000b\u0007c\ufffe\ud800', 'abc'],
    ['_\u0001x0041_', '_x0041_'],
  ]
  async function* row() {
    yield [cases.map(([text]) => text)]
  }
  const bytes = await bytesOf(xlsxFile(['a', 'b', 'c', 'd', 'e'], row()))
  const cells = cases.map(([, cell]) => cell)
  const workbook = new ExcelJS.Workbook()
  await workbook.xlsx.load(bytes as unknown as ArrayBuffer)
  const sheet = workbook.getWorksheet('Members')
  assert.equal(
    cells.map((_, column) => unescapedByExcelJs(sheet?.getCell(2, column + 1).text)),
    cells,
  )
  const sheetJs = read(bytes).Sheets['Members'] ?? {}
  assert.equal(utils.sheet_to_json(sheetJs, { header: 1, raw: true })[1], cells)
  assert.equal(
    cases.map(([text]) => csvCell(text)),
    cells,
  )
  assert.is(csvCell(`=${'a'.repeat(maxLength)}`).length, maxLength)
})

test.run()
