import { type KyselyPlugin, type OperationNode, SelectQueryNode } from 'kysely'
import { type Fact, factsOf, mentions } from './tenant-guard-facts.ts'
import {
  type GuardedStatement,
  namedTables,
  nodesIn,
  type RowSource,
  sourcesOf,
  statementOf,
} from './tenant-guard-sources.ts'

/**
 * Tables with tenant data. `tenant` names the column that identifies the tenant; of several columns any one suffices.
 * `softDelete` tables have `deleted_at`. `owner` names the column of the member to whom a row belongs, null for a table
 * with a `member_id` whose rows other members write too. Only their owner reads the rows of a `private` table.
 */
export type TenantTables = Readonly<
  Record<string, { tenant: string | readonly string[]; softDelete?: boolean; owner?: string | null; private?: true }>
>

/** The tenant tables of a database: every table whose rows name their workspace is one, and states its owner. */
export type TenantTablesOf<Tables> = TenantTables & {
  readonly [Name in TablesWith<'workspace_id', Tables>]: TenantTables[string]
} & {
  readonly [Name in Extract<TablesWith<'member_id', Tables>, TablesWith<'workspace_id', Tables>>]: {
    owner: string | null
  }
}

type TablesWith<Column extends string, Tables> = {
  [Name in keyof Tables]: Column extends keyof Tables[Name] ? Name : never
}[keyof Tables]

/** A statement touches a tenant table without binding its tenant, or ignores deletion. */
export class TenantGuardError extends Error {
  override name = 'TenantGuardError'
}

/**
 * Refuses selects, updates and deletes that reach a tenant table (directly, joined, in a subquery or in a CTE) without
 * an `=` or `in` on its tenant column, or without a condition on `deleted_at` where rows are deleted softly. Inserts
 * pass. Refuses updates and deletes that bind neither the owner's column nor the row's `id`, too: they would reach the
 * rows of every member. A select of a private table binds the owner's column.
 *
 * The predicate must compare the column with a value, a subquery, an outer statement's column, or a table of the same
 * statement that is itself bound. Raw SQL can't be read: a raw statement passes, and a raw predicate binds nothing.
 */
export function tenantGuard(tables: TenantTables): KyselyPlugin {
  return {
    transformQuery({ node }) {
      inspect(node, new Set(), tables)
      return node
    },
    transformResult: async ({ result }) => result,
  }
}

/** Walks the tree; `cteNames` are the visible CTEs, which hide tables of the same name. */
function inspect(node: OperationNode, cteNames: ReadonlySet<string>, tables: TenantTables): void {
  const visibleCteNames = namedTables(node, cteNames)
  const statement = statementOf(node)
  if (statement) checkStatement(statement, visibleCteNames, tables)
  for (const child of nodesIn(node)) inspect(child, visibleCteNames, tables)
}

function checkStatement(statement: GuardedStatement, cteNames: ReadonlySet<string>, tables: TenantTables): void {
  const sources = sourcesOf(statement)
  const watched = sources.filter(source => ruleOf(source, cteNames, tables))
  if (watched.length === 0) return
  const facts = factsOf(statement, sources)
  const boundAliases = boundSources(sources, facts, cteNames, tables)
  for (const source of watched) {
    const rule = ruleOf(source, cteNames, tables)
    if (!boundAliases.has(source.alias)) {
      throw new TenantGuardError(`${describe(source)} needs = or in on ${columnsOf(rule).join(' or ')} in where or on`)
    }
    if (rule?.softDelete && !mentions(statement, source, 'deleted_at')) {
      throw new TenantGuardError(`${describe(source)} is soft-deleted: add a condition on deleted_at`)
    }
  }
  const isRead = SelectQueryNode.is(statement)
  for (const source of watched) {
    const { owner, private: isPrivate } = ruleOf(source, cteNames, tables) ?? {}
    if (!owner || (isRead ? !isPrivate : source.join)) continue
    const rule = { tenant: isRead ? owner : [owner, 'id'] }
    if (!boundSources(sources, facts, new Set(), { [source.table ?? '']: rule }).has(source.alias))
      throw new TenantGuardError(
        `${describe(source)} belongs to members: it needs = or in on ${columnsOf(rule).join(' or ')}`,
      )
  }
}

/** Grows the set of bound sources until nothing changes: a table may be bound through another one. */
function boundSources(
  sources: readonly RowSource[],
  facts: readonly Fact[],
  cteNames: ReadonlySet<string>,
  tables: TenantTables,
): ReadonlySet<string> {
  const aliases = new Set(sources.map(({ alias }) => alias))
  // A derived table or CTE is inspected where it is written.
  const boundAliases = new Set(sources.filter(s => s.table === undefined || cteNames.has(s.table)).map(s => s.alias))
  const binds = (source: RowSource, fact: Fact): boolean => {
    const rule = ruleOf(source, cteNames, tables)
    if (rule && !columnsOf(rule).includes(fact.column)) return false
    // An unqualified column belongs to the only table that has it, or the server calls it ambiguous.
    const isOfSource =
      fact.alias === undefined ? rule !== undefined || sources.length === 1 : fact.alias === source.alias
    if (!isOfSource) return false
    if (fact.to === 'value') return true
    return fact.to.alias === undefined ? false : boundAliases.has(fact.to.alias) || !aliases.has(fact.to.alias)
  }
  for (let before = -1; before !== boundAliases.size; ) {
    before = boundAliases.size
    for (const source of sources) if (facts.some(fact => binds(source, fact))) boundAliases.add(source.alias)
  }
  return boundAliases
}

function ruleOf(
  source: RowSource,
  cteNames: ReadonlySet<string>,
  tables: TenantTables,
): TenantTables[string] | undefined {
  if (source.table === undefined || cteNames.has(source.table)) return undefined
  return Object.hasOwn(tables, source.table) ? tables[source.table] : undefined
}

function columnsOf(rule: TenantTables[string] | undefined): readonly string[] {
  const tenant = rule?.tenant ?? []
  return typeof tenant === 'string' ? [tenant] : tenant
}

function describe({ table, alias }: RowSource): string {
  return alias === table ? `table ${table}` : `table ${table} (as ${alias})`
}
