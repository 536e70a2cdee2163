//! Running an embedding network: token ids in, what its layers say of each token out, on one thread and in one order,
//! so that a result does not depend on the machine's cores. Next: `bert`.

use std::sync::{Arc, Mutex, PoisonError};

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value, ValueOrView};
use rten_tensor::Tensor;
use rten_tensor::prelude::*;

use crate::tokens::Tokens;

/// A network of the BERT family.
pub struct Network {
    model: Model,
    ids: NodeId,
    mask: Option<NodeId>,
    /// Which of two sentences a token belongs to; exported models ask for it, and there is only one sentence.
    sentence: Option<NodeId>,
    /// Pools of one thread that nobody uses now. Who embeds takes one and gives it back, so that callers on several
    /// threads do not wait for each other; there are never more than callers at once.
    idle_pools: Mutex<Vec<Arc<ThreadPool>>>,
}

impl Network {
    /// A network read from elsewhere.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub fn loaded(onnx: Vec<u8>) -> Result<Self, String> {
        Self::of(options().load(onnx).map_err(|error| error.to_string())?)
    }

    fn of(model: Model) -> Result<Self, String> {
        let ids = model.node_id("input_ids").map_err(|error| error.to_string())?;
        let (mask, sentence) = (model.find_node("attention_mask"), model.find_node("token_type_ids"));
        Ok(Self { model, ids, mask, sentence, idle_pools: Mutex::new(Vec::new()) })
    }

    /// What the network gives out, by name.
    pub fn outputs(&self) -> impl Iterator<Item = (NodeId, String)> {
        let name = |id: NodeId| self.model.node_info(id).and_then(|info| info.name().map(str::to_owned));
        self.model.output_ids().iter().map(move |id| (*id, name(*id).unwrap_or_default()))
    }

    /// Runs the network over the tokens `pieces`. A place that says one thing of the whole text counts as one token.
    ///
    /// # Errors
    /// What went wrong within the network.
    pub fn run(&self, pieces: Vec<i32>, places: &[NodeId]) -> Result<Vec<Tokens>, String> {
        let tokens = pieces.len();
        let row = |values: Vec<i32>| -> ValueOrView<'static> { Tensor::from_data(&[1, tokens], values).into() };
        let mut inputs = vec![(self.ids, row(pieces))];
        inputs.extend(self.mask.map(|mask| (mask, row(vec![1; tokens]))));
        inputs.extend(self.sentence.map(|sentence| (sentence, row(vec![0; tokens]))));
        let idle = || self.idle_pools.lock().unwrap_or_else(PoisonError::into_inner);
        let pool = idle().pop().unwrap_or_else(|| Arc::new(ThreadPool::with_num_threads(1)));
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(&pool)));
        let said = self.model.run(inputs, places, Some(options)).map_err(|error| error.to_string());
        idle().push(pool);
        said?.into_iter().map(tokens_of).collect()
    }
}

/// Packing the weights once costs 0.1 s and, compiled in, 11 MB; without it every message packs them again, and takes
/// four times as long.
fn options() -> ModelOptions {
    let mut options = ModelOptions::with_all_ops();
    options.prepack_weights(true);
    options
}

fn tokens_of(said: Value) -> Result<Tokens, String> {
    let (rank, shape) = (said.ndim(), said.shape().to_vec());
    let said: Tensor<f32> = said.try_into().map_err(|_| "it says something else than numbers".to_owned())?;
    match shape.last() {
        Some(&dimensions) if (rank == 2 || rank == 3) && shape[0] == 1 && dimensions > 0 => {
            Ok(Tokens { values: said.to_vec(), dimensions })
        }
        _ => Err(format!("it says numbers in the shape {shape:?} instead of a row for each token")),
    }
}
