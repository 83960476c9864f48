# Salvo from Julia: include("PREFIX/share/salvo/julia/Salvo.jl"), where PREFIX is the folder that Salvo was installed into.
#
#   problem = Salvo.read("predator.yaml")
#   json = Salvo.fit(problem; starts = 20, guess = (p1 = 1.0,))     # the text of fit.json; JSON3.read(json) reads it
#   f = Salvo.Objective(problem)                                    # for Optim, LeastSquaresOptim, samplers
#   Salvo.value(f, f.start), Salvo.gradient(f, f.start), Salvo.rows(f, f.start), Salvo.jacobian(f, f.start)
#
# It was written by <salvo.h> and has not been run: docs/julia.md.
module Salvo

import Libdl

const abi_version = 1  # of the header that the calls below were written by
const handle = Ref{Ptr{Cvoid}}(C_NULL)

# --- The library --------------------------------------------------------------------------------------------------

# Where it is: as SALVO_PREFIX says, around this file, or where the system looks.
function library_path()
    for prefix in (get(ENV, "SALVO_PREFIX", ""), joinpath(@__DIR__, "..", "..", ".."))
        path = joinpath(prefix, "lib", "libsalvo.so")
        isempty(prefix) || !isfile(path) || return path
    end
    return "libsalvo.so.$abi_version"
end

function load(path::AbstractString = library_path())
    handle[] = Libdl.dlopen(path)
    found = ccall(Libdl.dlsym(handle[], :salvo_abi_version), Cint, ())
    found == abi_version || error("$path has ABI $found, but Salvo.jl was written for $abi_version")
    return handle[]
end

symbol(name::Symbol) = Libdl.dlsym(handle[] == C_NULL ? load() : handle[], name)

version() = unsafe_string(ccall(symbol(:salvo_version), Cstring, ()))

# What the library refused: `code` is one of <salvo.h>, `message` says why, with every mistake of a problem file.
struct SalvoError <: Exception
    code::Int
    message::String
end
Base.showerror(io::IO, error::SalvoError) = print(io, "Salvo: ", error.message)

const ok = 0
const no_number = 4

# Both belong to the thread of the last call, and a task may be moved between two calls: ask at once.
last_error() = unsafe_string(ccall(symbol(:salvo_last_error), Cstring, ()))
last_warnings() = unsafe_string(ccall(symbol(:salvo_last_warnings), Cstring, ()))

function check(code::Cint)
    code == ok || throw(SalvoError(code, last_error()))
    warnings = last_warnings()
    isempty(warnings) || @warn warnings
    return nothing
end

# --- Options ------------------------------------------------------------------------------------------------------

json(value::Bool) = string(value)
json(value::Integer) = string(value)
json(value::Real) = isfinite(value) ? string(Float64(value)) : throw(ArgumentError("$value is not finite"))
json(value::Union{AbstractVector,Tuple}) = "[" * join(map(json, collect(value)), ",") * "]"
json(value::Union{AbstractDict,NamedTuple}) =
    "{" * join((json(string(name)) * ":" * json(entry) for (name, entry) in pairs(value)), ",") * "}"
json(value::Union{AbstractString,Symbol}) = "\"" * join(map(json_character, collect(string(value)))) * "\""

function json_character(c::Char)
    c in ('"', '\\') && return "\\" * c
    return c < ' ' ? "\\u" * string(UInt32(c), base = 16, pad = 4) : string(c)
end

# max_time = 60 is the option max-time of the program.
function options(words)
    isempty(words) && return C_NULL
    names = (replace(string(name), "_" => "-") for name in keys(words))
    return json(Dict(zip(names, values(words))))
end

# --- Problems -----------------------------------------------------------------------------------------------------

mutable struct Problem
    pointer::Ptr{Cvoid}
    function Problem(pointer::Ptr{Cvoid})
        problem = new(pointer)
        finalizer(free, problem)
        return problem
    end
end
Base.unsafe_convert(::Type{Ptr{Cvoid}}, problem::Problem) = problem.pointer

function free(problem::Problem)
    reference = Ref(problem.pointer)
    ccall(symbol(:salvo_free_problem), Cvoid, (Ptr{Ptr{Cvoid}},), reference)
    problem.pointer = reference[]
    return nothing
end

# A problem file, or that of a PEtab problem; `data` names a table in place of the one in the file.
function read(path::AbstractString; data::Union{AbstractString,Nothing} = nothing)
    made = Ref{Ptr{Cvoid}}(C_NULL)
    check(ccall(symbol(:salvo_read), Cint, (Cstring, Cstring, Ptr{Ptr{Cvoid}}), path,
                data === nothing ? C_NULL : data, made))
    return Problem(made[])
end

# The text of a problem file; its tables are looked for in the folder of `name`.
function read_text(text::AbstractString; name::AbstractString = "problem.yaml")
    made = Ref{Ptr{Cvoid}}(C_NULL)
    check(ccall(symbol(:salvo_read_text), Cint, (Cstring, Cstring, Ptr{Ptr{Cvoid}}), text, name, made))
    return Problem(made[])
end

# A text of the library as one of Julia.
function taken(text::Ref{Ptr{UInt8}})
    copy = text[] == C_NULL ? "" : unsafe_string(text[])
    ccall(symbol(:salvo_free_string), Cvoid, (Ptr{Ptr{UInt8}},), text)
    return copy
end

# --- Fits and simulations -----------------------------------------------------------------------------------------

# Called by the library on the thread that called it. Nothing may be thrown through it: an exception, Ctrl-C among them, stops the
# fit, whose result is then what it has reached.
function asked(user::Ptr{Cvoid})::Cint
    stop = unsafe_pointer_to_objref(user)[]
    try
        return reenable_sigint(() -> stop() ? Cint(1) : Cint(0))
    catch
        return Cint(1)
    end
end

# The text of fit.json. Options are those of `salvo fit`, with _ for -; `stop` is asked about twenty times a second.
function fit(problem::Problem; stop = () -> false, words...)
    question = Ref{Any}(stop)
    text = Ref{Ptr{UInt8}}(C_NULL)
    callback = @cfunction(asked, Cint, (Ptr{Cvoid},))
    code = disable_sigint() do
        GC.@preserve question begin
            ccall(symbol(:salvo_fit), Cint, (Ptr{Cvoid}, Cstring, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Ptr{UInt8}}),
                  problem, options(words), callback, pointer_from_objref(question), text)
        end
    end
    message = code == ok ? "" : last_error()
    result = taken(text)
    code == ok || throw(SalvoError(code, message))
    return result
end

# The table that `salvo simulate` prints, as text: at = 0:0.5:10, until = 20, parameters = (k = 0.5,), from = "predator.fit", ...
function simulate(problem::Problem; words...)
    text = Ref{Ptr{UInt8}}(C_NULL)
    code = ccall(symbol(:salvo_simulate), Cint, (Ptr{Cvoid}, Cstring, Ptr{Ptr{UInt8}}), problem, options(words), text)
    message = code == ok ? "" : last_error()
    result = taken(text)
    code == ok || throw(SalvoError(code, message))
    return result
end

# --- The objective ------------------------------------------------------------------------------------------------

struct CQuantity  # salvo_quantity
    id::Cstring
    scale::Cstring
    lower::Cdouble
    upper::Cdouble
    guess::Cdouble
end

# The negative logarithm of likelihood times prior, as a function of what is to be estimated, each on its scale.
# Options: fix, guess, from, only, integrator, rtol, atol, memory.
mutable struct Objective
    pointer::Ptr{Cvoid}
    names::Vector{String}
    scales::Vector{String}
    lower::Vector{Float64}
    upper::Vector{Float64}
    start::Vector{Float64}
    row_count::Int
    function Objective(problem::Problem; words...)
        made = Ref{Ptr{Cvoid}}(C_NULL)
        check(ccall(symbol(:salvo_make_objective), Cint, (Ptr{Cvoid}, Cstring, Ptr{Ptr{Cvoid}}),
                    problem, options(words), made))
        count = ccall(symbol(:salvo_quantity_count), Csize_t, (Ptr{Cvoid},), made[])
        row_count = ccall(symbol(:salvo_row_count), Csize_t, (Ptr{Cvoid},), made[])
        objective = new(made[], String[], String[], Float64[], Float64[], Float64[], Int(row_count))
        finalizer(free, objective)
        for index in 1:Int(count)
            quantity = Ref{CQuantity}()
            check(ccall(symbol(:salvo_get_quantity), Cint, (Ptr{Cvoid}, Csize_t, Ptr{CQuantity}),
                        objective, index - 1, quantity))
            push!(objective.names, unsafe_string(quantity[].id))
            push!(objective.scales, unsafe_string(quantity[].scale))
            push!(objective.lower, quantity[].lower)
            push!(objective.upper, quantity[].upper)
            push!(objective.start, quantity[].guess)
        end
        return objective
    end
end
Base.unsafe_convert(::Type{Ptr{Cvoid}}, objective::Objective) = objective.pointer

function free(objective::Objective)
    reference = Ref(objective.pointer)
    ccall(symbol(:salvo_free_objective), Cvoid, (Ptr{Ptr{Cvoid}},), reference)
    objective.pointer = reference[]
    return nothing
end

point(x::AbstractVector{<:Real}) = convert(Vector{Float64}, x)

# Inf where there is no number, which optimisers take for worse than any; Salvo.why(f, x) says why.
function value(objective::Objective, x::AbstractVector{<:Real})
    at, out = point(x), Ref{Cdouble}(Inf)
    code = ccall(symbol(:salvo_value), Cint, (Ptr{Cvoid}, Ptr{Cdouble}, Csize_t, Ptr{Cdouble}),
                 objective, at, length(at), out)
    code == no_number || check(code)
    return out[]
end

# NaN where there is no number; so are rows and Jacobians.
function gradient(objective::Objective, x::AbstractVector{<:Real})
    at = point(x)
    out = fill(NaN, length(at))
    code = ccall(symbol(:salvo_gradient), Cint, (Ptr{Cvoid}, Ptr{Cdouble}, Csize_t, Ptr{Cdouble}, Ptr{Cdouble}),
                 objective, at, length(at), C_NULL, out)
    code == no_number || check(code)
    return out
end

# J'r is the gradient.
function rows(objective::Objective, x::AbstractVector{<:Real})
    at = point(x)
    out = fill(NaN, objective.row_count)
    code = ccall(symbol(:salvo_rows), Cint, (Ptr{Cvoid}, Ptr{Cdouble}, Csize_t, Ptr{Cdouble}, Csize_t),
                 objective, at, length(at), out, length(out))
    code == no_number || check(code)
    return out
end

function jacobian(objective::Objective, x::AbstractVector{<:Real})
    at = point(x)
    out = fill(NaN, objective.row_count, length(at))
    code = ccall(symbol(:salvo_jacobian), Cint, (Ptr{Cvoid}, Ptr{Cdouble}, Csize_t, Ptr{Cdouble}, Ptr{Cdouble}, Csize_t),
                 objective, at, length(at), C_NULL, out, objective.row_count)
    code == no_number || check(code)
    return out
end

# Why there is no number at x, or "".
function why(objective::Objective, x::AbstractVector{<:Real})
    value(objective, x)
    return last_error()
end

# From the scales of an objective to the numbers of the model.
function values_of(objective::Objective, x::AbstractVector{<:Real})
    undo = Dict("lin" => identity, "log" => exp, "log10" => exp10)
    return Dict(name => undo[scale](at) for (name, scale, at) in zip(objective.names, objective.scales, x))
end

end
