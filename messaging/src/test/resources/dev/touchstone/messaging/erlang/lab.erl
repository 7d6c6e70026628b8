%% What the tests ask of an Erlang node. Compiled once per run of the tests by ErlangCode; started with -s lab.
-module(lab).
-behaviour(gen_server).

-export([start/0, flush/0, next/1, until/1]).
-export([echo/2, twist/3, echo_terms/3, term/1, made_ref/1]).
-export([server/1, init/1, handle_call/3, handle_cast/2, handle_info/2]).
-export([sleeper/0, linked/1, trapper/1, nested/1, count_ordered/2, forward/1]).

%% ---- the command loop: a line of base64 is a sequence of expressions, the answer is one line too

start() ->
    Started = self(),
    spawn(fun() ->
        true = register(lab, self()),
        process_flag(trap_exit, true),
        Started ! registered,
        say("@@ready", []),
        loop()
    end),
    receive registered -> ok end.

loop() ->
    case io:get_line("") of
        Line when is_list(Line); is_binary(Line) ->
            {Class, Value} = run(base64:decode(string:trim(Line))),
            say(Class, Value),
            loop();
        _ ->
            erlang:halt(0)
    end.

run(Source) ->
    try
        {ok, Tokens, _} = erl_scan:string(unicode:characters_to_list(Source)),
        {ok, Expressions} = erl_parse:parse_exprs(Tokens),
        {value, Value, _} = erl_eval:exprs(Expressions, erl_eval:new_bindings()),
        {"@@value", Value}
    catch
        Class:Reason:Stack -> {"@@raised", {Class, Reason, Stack}}
    end.

say(Class, Value) ->
    Printed = unicode:characters_to_binary(io_lib:format("~0tp", [Value])),
    io:put_chars([Class, $\s, base64:encode(Printed), $\n]).

%% ---- messages of the command loop

flush() ->
    receive
        _ -> flush()
    after 0 -> ok
    end.

%% The next message, or timeout.
next(Millis) ->
    receive Message -> Message after Millis -> timeout end.

%% Waits for a condition.
until(Condition) -> until(Condition, erlang:monotonic_time(millisecond) + 10000).

until(Condition, Deadline) ->
    case Condition() of
        true -> true;
        Other ->
            case erlang:monotonic_time(millisecond) > Deadline of
                true -> {never, Other};
                false -> receive after 5 -> until(Condition, Deadline) end
            end
    end.

%% ---- echo: {From, Term} comes back as {EchoPid, Term}

echo(To, Term) ->
    To ! {self(), Term},
    receive
        {_, Back} -> same(Term, Back)
    after 20000 -> timeout
    end.

%% In value and bytes.
same(Term, Back) -> Term =:= Back andalso term_to_binary(Term) =:= term_to_binary(Back).

%% What the echo server makes of a term.
twist(Echo, Term, Twist) ->
    Echo ! {self(), Term, Twist},
    receive
        {Echo, Twisted, Twist} -> Twisted
    after 10000 -> timeout
    end.

%% ok, or the first of Count random terms that came back as another one.
echo_terms(To, Seed, Count) ->
    rand:seed(exsss, Seed),
    echo_terms(To, Count).

echo_terms(_, 0) -> ok;
echo_terms(To, Count) ->
    Term = term(5),
    To ! {self(), Term},
    receive
        {_, Back} ->
            case same(Term, Back) of
                true -> echo_terms(To, Count - 1);
                false -> {differs, {left, Count}, {sent, printable(Term)}, {came, printable(Back)}, parting(Term, Back)}
            end
    after 20000 -> {timeout, {left, Count}, {sent, printable(Term)}}
    end.

printable(Term) -> unicode:characters_to_binary(io_lib:format("~0tP", [Term, 20])).

%% Where the bytes of two terms part.
parting(Term, Back) ->
    Sent = term_to_binary(Term),
    Came = term_to_binary(Back),
    At = binary:longest_common_prefix([Sent, Came]),
    {{equal, Term =:= Back}, {at, At}, {sent_bytes, around(Sent, At)}, {came_bytes, around(Came, At)}}.

around(Bytes, At) ->
    From = max(0, At - 30),
    binary:part(Bytes, From, min(60, byte_size(Bytes) - From)).

%% ---- random terms of every type, at most Depth deep

term(0) -> leaf(rand:uniform(14));
term(Depth) ->
    case rand:uniform(10) of
        1 -> list_to_tuple(terms(Depth, size_of(Depth)));
        2 -> terms(Depth, size_of(Depth));
        3 -> [term(Depth - 1) | improper(Depth, rand:uniform(4))];
        4 -> maps:from_list([{term(Depth - 1), term(Depth - 1)} || _ <- lists:seq(1, size_of(Depth))]);
        5 -> closure(term(Depth - 1), term(0));
        _ -> leaf(rand:uniform(14))
    end.

terms(Depth, Count) -> [term(Depth - 1) || _ <- lists:seq(1, Count)].

improper(_, 1) -> tail;
improper(Depth, Left) -> [term(Depth - 1) | improper(Depth, Left - 1)].

%% Now and then more than a byte of arity, where the parts have none of their own.
size_of(1) ->
    case rand:uniform(40) of
        1 -> 300;
        N -> N rem 7
    end;
size_of(_) -> rand:uniform(7) - 1.

leaf(1) -> rand:uniform(256) - 1;
leaf(2) -> sign() * (rand:uniform(1 bsl 34) - 1);
leaf(3) -> sign() * ((1 bsl (rand:uniform(80) - 1)) + rand:uniform(3) - 2);
leaf(4) -> sign() * rand:uniform(1 bsl rand:uniform(2200));
leaf(5) -> lists:nth(rand:uniform(6), [0.0, -0.0, 1.5, 1.0e308, -5.0e-324, rand:normal() * 1.0e10]);
leaf(6) -> lists:nth(rand:uniform(8), atoms());
leaf(7) -> rand:bytes(lists:nth(rand:uniform(4), [0, 1, 40, 1500]));
leaf(8) -> Bits = rand:uniform(7), <<(rand:bytes(rand:uniform(9) - 1))/binary, 1:Bits>>;
leaf(9) -> [rand:uniform(256) - 1 || _ <- lists:seq(1, rand:uniform(40) - 1)];
leaf(10) -> [rand:uniform(1 bsl 21) - 1 || _ <- lists:seq(1, rand:uniform(40))];
leaf(11) -> lists:nth(rand:uniform(3), [self(), made_pid(), whereis(init)]);
leaf(12) -> lists:nth(rand:uniform(3), [make_ref(), made_ref(1 + rand:uniform(2)), made_ref(5)]);
leaf(13) -> lists:nth(rand:uniform(3), [hd(erlang:ports()), made_port(120, 8), made_port(89, 4)]);
leaf(14) -> lists:nth(rand:uniform(3), [fun lists:map/2, fun erlang:send/3, closure(1, 2)]).

closure(A, B) -> fun(C) -> {A, B, C} end.

sign() -> rand:uniform(2) * 2 - 3.

atoms() ->
    [ok, '', 'two words', list_to_atom([16#e5, 16#e4, 16#f6]), list_to_atom([16#416, 16#4e2d, 16#1f600]),
     list_to_atom(lists:duplicate(255, $a)), list_to_atom(lists:duplicate(255, 16#4e2d)), true].

below(Bits) -> rand:uniform(1 bsl Bits) - 1.

%% Of another node, as no function of Erlang makes them.
made(Tag, Body) -> binary_to_term(<<131, Tag, Body/binary>>).

elsewhere() -> <<119, 14, "nobody@nowhere">>.

made_pid() ->
    made(88, <<(elsewhere())/binary, (below(28)):32, (below(13)):32, (rand:uniform(1 bsl 31)):32>>).

made_port(Tag, Bytes) ->
    made(Tag, <<(elsewhere())/binary, (below(Bytes * 7)):Bytes/unit:8, (rand:uniform(1 bsl 31)):32>>).

%% Not of one word where it may become a key: OTP 25 hashes that with what stands behind it in memory, so a large map that has one as a key
%% is another one after Erlang's own term_to_binary and binary_to_term.
made_ref(Words) ->
    Ids = << <<(below(18)):32>> || _ <- lists:seq(1, Words) >>,
    made(90, <<Words:16, (elsewhere())/binary, (rand:uniform(1 bsl 31)):32, Ids/binary>>).

%% ---- a gen_server: {add, A, B}, {sleep, Millis}, stop, anything else comes back

server(Name) -> {ok, _} = gen_server:start({local, Name}, ?MODULE, [], []), ok.

init([]) -> {ok, []}.

handle_call({add, A, B}, _, State) -> {reply, A + B, State};
handle_call({sleep, Millis}, _, State) -> timer:sleep(Millis), {reply, slept, State};
handle_call(die, _, State) -> {stop, died, State};
handle_call(Request, _, State) -> {reply, {echo, Request}, State}.

handle_cast(_, State) -> {noreply, State}.

handle_info(_, State) -> {noreply, State}.

%% ---- processes

%% Waits for stop, or for {exit, Reason}.
sleeper() ->
    receive
        stop -> ok;
        {exit, Reason} -> exit(Reason)
    end.

%% A process linked to Pid; does not trap exits.
linked(Pid) -> spawn(fun() -> link(Pid), sleeper() end).

%% A process linked to Pid that passes its signal on to the command loop. Pid knows of it, after the link, by {linked, Trapper}.
trapper(Pid) ->
    Loop = self(),
    spawn(fun() ->
        process_flag(trap_exit, true),
        link(Pid),
        Loop ! linked,
        Pid ! {linked, self()},
        receive Signal -> Loop ! {trapped, Signal} end
    end).

%% Passes all messages on to the command loop.
forward(Name) ->
    Loop = self(),
    Pid = spawn(fun() -> true = register(Name, self()), Loop ! registered, forwarding(Name, Loop) end),
    receive registered -> Pid end.

forwarding(Name, Loop) ->
    receive Message -> Loop ! {Name, Message}, forwarding(Name, Loop) end.

nested(Depth) -> lists:foldl(fun(_, Inner) -> [Inner] end, [], lists:seq(1, Depth)).

%% ok when 1..Count came in order.
count_ordered(Count, Count) -> ok;
count_ordered(Last, Count) ->
    receive
        {count, N} when N =:= Last + 1 -> count_ordered(N, Count);
        {count, N} -> {after_, Last, came, N}
    after 20000 -> {timeout, Last}
    end.
