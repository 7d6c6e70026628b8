package dev.touchstone.messaging.term;

/**
 * An Erlang value. Every kind is final, immutable and thread-safe; {@code equals} is Erlang's {@code =:=}, and {@code toString} is in
 * Erlang's syntax where there is one. Terms may be nested to any depth.
 */
public sealed interface Term
        permits Atom,
                Int,
                BigInt,
                ErlFloat,
                Binary,
                BitString,
                ErlList,
                Tuple,
                ErlMap,
                Pid,
                Port,
                Ref,
                Fun,
                ExportFun {}
