# Copies records by generated code, and adds one of nothing but defaults. Arguments: cluster, port, map, number of records, folder of the code.
import sys

import hazelcast

sys.path.insert(0, sys.argv[5])
sys.dont_write_bytecode = True
import compact_types  # noqa: E402

client = hazelcast.HazelcastClient(
    cluster_name=sys.argv[1],
    cluster_members=["127.0.0.1:" + sys.argv[2]],
    cluster_connect_timeout=30,
    compact_serializers=compact_types.COMPACT_SERIALIZERS,
)
records = client.get_map(sys.argv[3]).blocking()
for key in range(1, int(sys.argv[4]) + 1):
    value = records.get(key)
    assert type(value) is compact_types.Wide, value
    assert value.color is None or value.color in compact_types.WideColor, value
    records.set(100 + key, value)
records.set(200, compact_types.Wide())
try:
    records.get(300)
except Exception as failure:
    print("refused:", failure)
client.shutdown()
