# Copies the trades 1 to 5 of a map to 101 to 105, by the Python client's own Compact serialization. Arguments: cluster, port, map.
import sys

import hazelcast
from hazelcast.predicate import equal
from hazelcast.serialization.api import CompactSerializer


class Trade:
    def __init__(self, number, symbol, volume, price, is_open, rating):
        self.number, self.symbol, self.volume = number, symbol, volume
        self.price, self.is_open, self.rating = price, is_open, rating


class TradeSerializer(CompactSerializer):
    def read(self, reader):
        return Trade(
            reader.read_int32("number"),
            reader.read_string("symbol"),
            reader.read_int64("volume"),
            reader.read_float64("price"),
            reader.read_boolean("isOpen"),
            reader.read_nullable_int32("rating"),
        )

    def write(self, writer, trade):
        writer.write_int32("number", trade.number)
        writer.write_string("symbol", trade.symbol)
        writer.write_int64("volume", trade.volume)
        writer.write_float64("price", trade.price)
        writer.write_boolean("isOpen", trade.is_open)
        writer.write_nullable_int32("rating", trade.rating)

    def get_type_name(self):
        return "trade"

    def get_class(self):
        return Trade


client = hazelcast.HazelcastClient(
    cluster_name=sys.argv[1],
    cluster_members=["127.0.0.1:" + sys.argv[2]],
    cluster_connect_timeout=30,
    compact_serializers=[TradeSerializer()],
)
trades = client.get_map(sys.argv[3]).blocking()
for key in range(1, 6):
    trades.set(100 + key, trades.get(key))
print("found", len(trades.values(equal("number", 3))))
client.shutdown()
