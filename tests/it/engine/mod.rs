//! What the JavaScript engine can change. These tests run on V8 and on QuickJS.

mod remembered_markup;
mod renderer;
mod rendering;
