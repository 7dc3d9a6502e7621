import { type Compilable, Kysely, MysqlDialect, sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { exempt } from './database.ts'
import { TenantGuardError, tenantGuard } from './tenant-guard.ts'

interface Tables {
  pages: { id: string; workspace_id: string; author_id: string; title: string; deleted_at: Date | null }
  comments: { id: string; page_id: string; workspace_id: string; text: string }
  roles: { id: string; workspace_id: string | null; ecosystem_id: string | null }
  tags: { page_id: string; workspace_id: string; name: string }
  likes: { id: string; page_id: string; workspace_id: string; member_id: string }
  notes: { id: string; page_id: string; workspace_id: string; member_id: string }
}

const test = suite('tenant guard')
const guard = tenantGuard({
  pages: { tenant: 'workspace_id', softDelete: true },
  comments: { tenant: 'workspace_id' },
  roles: { tenant: ['workspace_id', 'ecosystem_id'] },
  likes: { tenant: 'workspace_id', owner: 'member_id' },
  notes: { tenant: 'workspace_id', owner: 'member_id', private: true },
})
const dialect = new MysqlDialect({ pool: () => Promise.reject(new Error('nothing is executed here')) })
const db = new Kysely<Tables>({ dialect, plugins: [guard] })
const bare = new Kysely<Tables>({ dialect })
const w = 'w1'
const selectPages = () =>
  db.selectFrom('pages').selectAll().where('workspace_id', '=', w).where('deleted_at', 'is', null)

const passes: Record<string, () => Compilable> = {
  'equals in where': () => selectPages(),
  'in a list': () => db.selectFrom('comments').selectAll().where('workspace_id', 'in', [w, 'w2']),
  'in a subquery that is bound': () =>
    db
      .selectFrom('comments')
      .selectAll()
      .where('workspace_id', 'in', eb =>
        eb
          .selectFrom('roles')
          .select('workspace_id')
          .where('ecosystem_id', '=', 'e')
          .$castTo<{ workspace_id: string }>(),
      ),
  'by alias': () => db.selectFrom('comments as c').selectAll().where('c.workspace_id', '=', w),
  'any of several columns': () => db.selectFrom('roles').selectAll().where('ecosystem_id', '=', 'e'),
  'an explicit word on deletion': () =>
    db.selectFrom('pages').selectAll().where('workspace_id', '=', w).where('deleted_at', 'is not', null),
  'both sides of an or': () =>
    db
      .selectFrom('roles')
      .selectAll()
      .where(eb => eb.or([eb.and([eb('workspace_id', '=', w), eb('id', '=', '1')]), eb('workspace_id', '=', 'w2')])),
  'joined, bound in on': () => mineJoined(j => j.onRef('c.page_id', '=', 'p.id').on('c.workspace_id', '=', w)),
  'joined, bound through the other table': () =>
    mineJoined(j => j.onRef('c.page_id', '=', 'p.id').onRef('c.workspace_id', '=', 'p.workspace_id')),
  'left joined, bound in on': () =>
    db
      .selectFrom('pages as p')
      .leftJoin('comments as c', j => j.onRef('c.page_id', '=', 'p.id').on('c.workspace_id', '=', w))
      .select('p.id')
      .where('p.workspace_id', '=', w)
      .where('p.deleted_at', 'is', null),
  'a correlated subquery bound to the outer statement': () =>
    db
      .selectFrom('pages as p')
      .select(eb => [
        'p.id',
        eb
          .selectFrom('comments as c')
          .select(sql<number>`count(*)`.as('n'))
          .whereRef('c.workspace_id', '=', 'p.workspace_id')
          .as('n'),
      ])
      .where('p.workspace_id', '=', w)
      .where('p.deleted_at', 'is', null),
  'a CTE that is bound where it is written': () =>
    db
      .with('pages', q => q.selectFrom('comments').select('page_id as id').where('workspace_id', '=', w))
      .selectFrom('pages')
      .selectAll(),
  'a derived table that is bound inside': () =>
    db.selectFrom(selectPages().as('p')).innerJoin('comments as c', 'c.workspace_id', 'p.workspace_id').select('c.id'),
  'an update': () =>
    db.updateTable('pages').set({ title: 'x' }).where('workspace_id', '=', w).where('deleted_at', 'is', null),
  'a delete': () => db.deleteFrom('comments').where('workspace_id', '=', w),
  'an insert': () => db.insertInto('comments').values({ id: '1', page_id: '1', workspace_id: w, text: '' }),
  "a write to a member's rows": () =>
    db.deleteFrom('likes').where('workspace_id', '=', w).where('page_id', '=', '1').where('member_id', '=', 'm'),
  "a write to a member's row by id": () => db.deleteFrom('likes').where('workspace_id', '=', w).where('id', '=', '1'),
  "a read of all members' rows": () => db.selectFrom('likes').selectAll().where('workspace_id', '=', w),
  "a read of a member's private rows": () =>
    db.selectFrom('notes').selectAll().where('workspace_id', '=', w).where('member_id', '=', 'm'),
  'private rows joined with their member': () =>
    selectPages().leftJoin('notes as n', j =>
      j
        .onRef('n.page_id', '=', 'pages.id')
        .onRef('n.workspace_id', '=', 'pages.workspace_id')
        .on('n.member_id', '=', 'm'),
    ),
  'a table of no tenant': () => db.selectFrom('tags').selectAll(),
  'an exempted statement': () => exempt(db, 'counts all pages of the platform').selectFrom('pages').selectAll(),
}

function mineJoined(on: Parameters<typeof joined>[0]): Compilable {
  return joined(on).where('p.workspace_id', '=', w).where('p.deleted_at', 'is', null)
}
function joined(on: (j: Join) => Join) {
  return db
    .selectFrom('pages as p')
    .innerJoin('comments as c', j => on(j as unknown as Join) as never)
    .select('c.id')
}
interface Join {
  onRef(a: string, op: '=', b: string): Join
  on(a: string, op: '=', b: string): Join
}

const refusedQueries: Record<string, () => Compilable> = {
  'no predicate': () => db.selectFrom('comments').selectAll(),
  'another column': () => db.selectFrom('comments').selectAll().where('page_id', '=', '1'),
  'a predicate that is not equality': () => db.selectFrom('comments').selectAll().where('workspace_id', '!=', w),
  negated: () =>
    db
      .selectFrom('comments')
      .selectAll()
      .where(eb => eb.not(eb('workspace_id', '=', w))),
  'one side of an or': () =>
    db
      .selectFrom('comments')
      .selectAll()
      .where(eb => eb.or([eb('workspace_id', '=', w), eb('id', '=', '1')])),
  itself: () => db.selectFrom('comments').selectAll().whereRef('workspace_id', '=', 'comments.workspace_id'),
  'silence on deletion': () => db.selectFrom('pages').selectAll().where('workspace_id', '=', w),
  'a raw predicate': () => db.selectFrom('comments').selectAll().where(sql<boolean>`workspace_id = ${w}`),
  'the predicate of the other alias': () =>
    db
      .selectFrom('comments as a')
      .innerJoin('comments as b', 'b.page_id', 'a.page_id')
      .select('a.id')
      .where('a.workspace_id', '=', w),
  'two tables bound only to each other': () =>
    db.selectFrom('comments as a').innerJoin('comments as b', 'b.workspace_id', 'a.workspace_id').select('a.id'),
  'bound to an unbound table of no tenant': () =>
    db.selectFrom('tags').innerJoin('comments as c', 'c.workspace_id', 'tags.workspace_id').select('c.id'),
  'a joined table without deletion': () =>
    db
      .selectFrom('comments as c')
      .innerJoin('pages as p', j => j.onRef('p.id', '=', 'c.page_id').onRef('p.workspace_id', '=', 'c.workspace_id'))
      .select('p.id')
      .where('c.workspace_id', '=', w),
  'the kept side of a left join, bound in on': () =>
    db
      .selectFrom('comments as c')
      .leftJoin('tags as t', j => j.onRef('t.page_id', '=', 'c.page_id').on('c.workspace_id', '=', w))
      .select('c.id'),
  'a subquery in where': () => selectPages().where('id', 'in', eb => eb.selectFrom('comments').select('page_id')),
  'an exists': () =>
    selectPages().where(eb =>
      eb.exists(eb.selectFrom('comments as c').select('c.id').whereRef('c.page_id', '=', 'pages.id')),
    ),
  'a subquery in select': () =>
    selectPages().select(eb => eb.selectFrom('comments').select(sql<number>`count(*)`.as('n')).as('n')),
  'a CTE': () =>
    db
      .with('c', q => q.selectFrom('comments').selectAll())
      .selectFrom('c')
      .selectAll(),
  'a CTE named like the table it reads': () =>
    db
      .with('comments', q => q.selectFrom('comments').selectAll())
      .selectFrom('comments')
      .selectAll(),
  'a union': () => selectPages().select('id').clearSelect().select('id').union(db.selectFrom('comments').select('id')),
  'an update without a predicate': () => db.updateTable('comments').set({ text: '' }),
  'an update by id alone': () => db.updateTable('comments').set({ text: '' }).where('id', '=', '1'),
  'a delete by id alone': () => db.deleteFrom('comments').where('id', '=', '1'),
  'a delete without its owner': () => db.deleteFrom('likes').where('workspace_id', '=', w).where('page_id', '=', '1'),
  'an update without its owner': () => db.updateTable('likes').set({ page_id: '2' }).where('workspace_id', '=', w),
  "a read of all members' private rows": () => db.selectFrom('notes').selectAll().where('workspace_id', '=', w),
  'a read of a private row by id alone': () =>
    db.selectFrom('notes').selectAll().where('workspace_id', '=', w).where('id', '=', '1'),
  'private rows joined without their member': () =>
    selectPages().leftJoin('notes as n', j =>
      j.onRef('n.page_id', '=', 'pages.id').onRef('n.workspace_id', '=', 'pages.workspace_id'),
    ),
  'an insert from an unbound select': () =>
    db
      .insertInto('tags')
      .columns(['page_id', 'workspace_id', 'name'])
      .expression(eb => eb.selectFrom('comments').select(['page_id', 'workspace_id', 'text'])),
  'a subquery inside raw text': () =>
    selectPages().select(sql<number>`(${bare.selectFrom('comments').select('id')})`.as('n')),
}

for (const [name, build] of Object.entries(passes)) {
  test(`accepts ${name}`, () => {
    assert.ok(build().compile().sql)
  })
}
for (const [name, build] of Object.entries(refusedQueries)) {
  test(`refuses ${name}`, () => {
    assert.throws(
      () => build().compile(),
      (error: unknown) => error instanceof TenantGuardError,
    )
  })
}

test('the message names the table and the column', () => {
  assert.throws(() => db.selectFrom('comments as c').selectAll().compile(), /comments \(as c\).*workspace_id/)
})

test('an exemption without a reason is refused', () => {
  assert.throws(() => exempt(db, ' '), /reason/)
})

test.run()
