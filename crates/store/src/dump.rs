//! The schema of a database as text, for comparing.

use diesel::{QueryableByName, RunQueryDsl, sql_query, sql_types::Text};

use crate::{OpenError, engine, open::Target};

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

const SQLITE: &str = "
    SELECT type || ' ' || name || ': ' || COALESCE(sql, '(automatic)') AS line
    FROM sqlite_schema
    WHERE name NOT LIKE '\\_\\_diesel%' ESCAPE '\\' AND tbl_name NOT LIKE '\\_\\_diesel%' ESCAPE '\\'
    ORDER BY type, name";

/// Columns, constraints, indexes, triggers and functions of the first schema of the search path.
const POSTGRES: &str = "
    SELECT line FROM (
        SELECT 'column ' || c.relname || '.' || a.attname || ': ' || format_type(a.atttypid, a.atttypmod)
            || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
            || CASE a.attidentity WHEN '' THEN '' ELSE ' identity ' || a.attidentity::text END
            || COALESCE(' default ' || pg_get_expr(d.adbin, d.adrelid), '') AS line
        FROM pg_attribute a
        JOIN pg_class c ON c.oid = a.attrelid AND c.relkind = 'r'
        LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
        WHERE c.relnamespace = current_schema()::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
        UNION ALL
        SELECT 'constraint ' || c.conrelid::regclass || ' ' || c.conname || ': ' || pg_get_constraintdef(c.oid)
        FROM pg_constraint c WHERE c.connamespace = current_schema()::regnamespace
        UNION ALL
        SELECT 'index ' || indexname || ': ' || indexdef FROM pg_indexes WHERE schemaname = current_schema()
        UNION ALL
        SELECT 'trigger ' || t.tgname || ': ' || pg_get_triggerdef(t.oid)
        FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal
        UNION ALL
        SELECT 'function ' || pg_get_functiondef(p.oid) FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace
    ) lines
    WHERE line NOT LIKE '%\\_\\_diesel%'
    ORDER BY line COLLATE \"C\"";

/// Every table, column, constraint, index and trigger, one after the other in a fixed order, without
/// the table diesel counts migrations in.
///
/// # Errors
/// [`OpenError`] when the database cannot be read.
pub fn schema_dump(url: &str) -> Result<String, OpenError> {
    let (engine, lines) = match Target::parse(url)? {
        Target::Sqlite(path) => ("sqlite", sql_query(SQLITE).load::<Line>(&mut engine::sqlite::reader(&path)?)),
        Target::Postgres(url) => ("postgres", sql_query(POSTGRES).load::<Line>(&mut engine::postgres::connect(&url)?)),
    };
    let lines = lines.map_err(|e| OpenError::Connect { engine, reason: e.to_string() })?;
    Ok(lines.into_iter().map(|l| l.line + "\n").collect())
}
