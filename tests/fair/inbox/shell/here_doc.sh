#### create.sh
# No first line: whoever starts it says that it is bash.
sqlite3 "$1" <<SQL
.timeout 4000
create table if not exists inbox_log (
  msg_id varchar(200) not null unique,
  biz_key varchar(200), status varchar(20), response text, created_at datetime);
SQL

#### apply.sh
#!/bin/bash
# The name of the file goes into the SQL, with its quotes doubled; the message itself never does.
file=$(printf '%s' "$2" | sed "s/'/''/g")
sqlite3 -bail "$1" <<SQL
.timeout 4000
.mode list
create temp view m as
  select json_extract(j, '$.msg_id') as id, json_extract(j, '$.order_no') as order_no
  from (select cast(readfile('$file') as text) as j);
create temp table t (id text check (length(id) > 0 and id is not null));
insert into t select id from m;
insert or ignore into inbox_log
  select id, order_no, 'received', json_object('ok', json('true'), 'id', id), datetime('now') from m;
select iif(changes() = 1, 'applied', 'duplicate');
select response from inbox_log where msg_id in (select id from m);
SQL

#### purge.sh
#!/bin/bash
if [ "$2" -lt 0 ]; then
  echo "nothing is older than the future" >&2
  exit 64
fi
sqlite3 "$1" <<SQL
.timeout 4000
begin exclusive;
select 'there were ' || count(*) || ' rows' from inbox_log;
delete from inbox_log where julianday('now') - julianday(created_at) > $2;
select printf('deleted=%d remain=%d', changes(), (select count(*) from inbox_log));
commit;
SQL
