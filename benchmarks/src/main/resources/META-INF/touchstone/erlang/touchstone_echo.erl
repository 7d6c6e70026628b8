%% The echo benchmark between two Erlang nodes. Each node reports line by line to a port of the benchmark and ends when that closes.
-module(touchstone_echo).
-export([server/1, clients/3]).

%% Answers every pid with five bytes.
server(Port) ->
    Report = report_to(Port),
    register(echo, spawn_link(fun serve/0)),
    ok = gen_tcp:send(Report, "ready\n"),
    await_end(Report).

serve() ->
    receive
        Client when is_pid(Client) -> Client ! <<1, 2, 3, 4, 5>>
    end,
    serve().

%% One process a client, each with one message under way. The first line reported is an answer's bytes, the others are counts by client.
clients(Port, Node, Count) ->
    Report = report_to(Port),
    true = net_kernel:connect_node(Node),
    Server = rpc:call(Node, erlang, whereis, [echo]),
    send_line(Report, binary_to_list(echo(Server))),
    Counts = counters:new(Count, []),
    Clients = lists:seq(1, Count),
    [spawn_link(fun() -> echo_on(Server, Counts, Client) end) || Client <- Clients],
    spawn_link(fun() -> report_counts(Report, Counts, Clients) end),
    await_end(Report).

echo(Server) ->
    Server ! self(),
    receive
        Answer when is_binary(Answer) -> Answer
    end.

echo_on(Server, Counts, Client) ->
    <<1, 2, 3, 4, 5>> = echo(Server),
    counters:add(Counts, Client, 1),
    echo_on(Server, Counts, Client).

report_counts(Report, Counts, Clients) ->
    timer:sleep(10),
    send_line(Report, [counters:get(Counts, Client) || Client <- Clients]),
    report_counts(Report, Counts, Clients).

report_to(Port) ->
    {ok, Report} = gen_tcp:connect({127, 0, 0, 1}, Port, [{nodelay, true}]),
    Report.

send_line(Report, Numbers) ->
    ok = gen_tcp:send(Report, [lists:join(" ", [integer_to_list(Number) || Number <- Numbers]), "\n"]).

await_end(Report) ->
    receive
        {tcp_closed, Report} -> halt(0);
        {tcp_error, Report, _} -> halt(0)
    end.
