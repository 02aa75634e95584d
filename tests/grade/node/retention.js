// Lab `retention` in a language that has no track: speaks the protocol on standard input and
// output, and reaches SQLite through the sqlite3 command.
'use strict';
const { execFileSync } = require('node:child_process');
const readline = require('node:readline');

class BadArgument extends Error {}

/** Writes a value as SQL. A zero character cannot be in SQL text, so it is put in by char(0). */
function sql(value) {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'number') return Number.isInteger(value) ? `${value}.0` : String(value);
  const parts = String(value).split('\0').map((part) => `'${part.replaceAll("'", "''")}'`);
  return `(${parts.join('||char(0)||')})`;
}

/** Runs statements on the store, and returns the rows of the last one that has any. */
function run(path, statements) {
  const input = `.timeout 5000\n.bail on\n.mode json\n${statements}\n`;
  const options = { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'], maxBuffer: 1 << 26 };
  const output = execFileSync('sqlite3', ['-batch', path], options).trim();
  return output === '' ? [] : JSON.parse(output.slice(output.lastIndexOf('\n[') + 1));
}

function bound(limit = 10) {
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) throw new BadArgument('1 to 100');
  return limit;
}

const due = (now, limit) =>
  `SELECT id FROM keys WHERE status='done' AND expires<=${sql(now)} ORDER BY id LIMIT ${limit}`;

// A text with a zero character ends there in the command's JSON; hexadecimal digits do not.
const text = (hex) => Buffer.from(hex, 'hex').toString('utf8');

const functions = {
  init_db({ path }) {
    run(path, `CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL,
      status TEXT NOT NULL, response TEXT, expires REAL NOT NULL);`);
    return null;
  },
  reserve({ path, key, digest, expires }) {
    const [{ n }] = run(path, `INSERT OR IGNORE INTO keys
      VALUES(${sql(key)}, ${sql(digest)}, 'pending', NULL, ${sql(expires)}); SELECT changes() AS n;`);
    return n === 1;
  },
  finish({ path, key, digest, response }) {
    const [{ n }] = run(path, `UPDATE keys SET status='done', response=${sql(JSON.stringify(response))}
      WHERE id=${sql(key)} AND fingerprint=${sql(digest)} AND status='pending';
      SELECT changes() AS n;`);
    return n === 1;
  },
  fetch({ path, key, now }) {
    const rows = run(path, `SELECT hex(response) AS h FROM keys
      WHERE id=${sql(key)} AND status='done' AND expires>${sql(now)};`);
    return rows.length === 0 ? null : JSON.parse(text(rows[0].h));
  },
  expired({ path, now, limit }) {
    const most = bound(limit);
    return run(path, `SELECT hex(id) AS h FROM (${due(now, most)});`).map((row) => text(row.h));
  },
  purge({ path, now, limit }) {
    const most = bound(limit);
    const rows = run(path, `BEGIN IMMEDIATE;
      CREATE TEMP TABLE gone AS ${due(now, most)};
      DELETE FROM keys WHERE id IN (SELECT id FROM gone);
      COMMIT;
      SELECT hex(id) AS h FROM gone ORDER BY id;`);
    return rows.map((row) => text(row.h));
  },
  counts({ path }) {
    const [row] = run(path, `SELECT COUNT(*) FILTER (WHERE status='pending') AS pending,
      COUNT(*) FILTER (WHERE status='done') AS done FROM keys;`);
    return { pending: row.pending, done: row.done };
  },
  retention_cycle({ path, key }) {
    functions.reserve({ path, key, digest: 'v1', expires: 10 });
    functions.finish({ path, key, digest: 'v1', response: { receipt: 1 } });
    functions.purge({ path, now: 10 });
    return functions.reserve({ path, key, digest: 'v2', expires: 20 });
  },
};

const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

say({ hello: 1, lab: 'retention', track: 'node', language: process.versions.node });
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, call, with: values } = JSON.parse(line);
  if (!Object.hasOwn(functions, call)) {
    say({ id, raises: { kind: 'NoFunction', message: `there is no function \`${call}\`` } });
    return;
  }
  try {
    say({ id, returns: functions[call](values) });
  } catch (error) {
    const locked = String(error.stderr ?? '').includes('database is locked');
    const kind = locked ? 'Locked' : error.constructor.name;
    say({ id, raises: { kind, message: String(error.message).slice(0, 500) } });
  }
});
